import type { Chance, Clock } from "@propgate/base";
import type { AnsweringCall, OperatorAnswer, OperatorCallName } from "@propgate/contract";
import {
  type JsonCall,
  type JsonReply,
  type RefusedReply,
  refusedReply,
  wrongFieldReply,
} from "../json/json-reply.ts";
import type { OperatorServices } from "./operator-services.ts";

/** The services, the clock and the source of random values that every handler of the operator's calls gets. */
export interface OperatorCallOptions {
  readonly services: OperatorServices;
  readonly clock: Clock;
  readonly chance: Chance;
}

/** The token or person who makes the call, by the name in the audit. */
export interface OperatorCaller {
  readonly name: string;
}

/** The handler of a call. Its answer is the one that the contract describes. */
export type OperatorHandler<Name extends OperatorCallName> = (
  options: OperatorCallOptions,
  call: JsonCall,
  by: OperatorCaller,
) => Promise<JsonReply<Name extends AnsweringCall ? OperatorAnswer<Name> : never>>;

/** The refusal of a call on an account that does not exist. */
export const NO_ACCOUNT: RefusedReply = refusedReply("Account not found", 404);

/** Refuses an external id that another account or person has. `text` follows the field's name. @rule D13.externalIds */
export function takenIdReply(
  text: string,
  details: NonNullable<RefusedReply["details"]>,
): RefusedReply {
  return { ...wrongFieldReply("externalId", text, 409), code: "external_id_taken", details };
}

/** Refuses a new external id for an account or person that already has the external id `externalId`. */
export function namedBeforeReply(externalId: string): RefusedReply {
  const problem = `is ${JSON.stringify(externalId)} already, and never changes`;
  return wrongFieldReply("externalId", problem, 409);
}
