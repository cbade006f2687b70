import type { Chance, Clock } from "@propgate/base";
import type { AnsweringCall, OperatorAnswer, OperatorCallName } from "@propgate/contract";
import {
  type JsonCall,
  type JsonReply,
  type RefusedReply,
  refused,
  wrongField,
} from "../json/json-reply.ts";
import type { OperatorServices } from "./operator-services.ts";

export interface OperatorCallOptions {
  readonly services: OperatorServices;
  readonly clock: Clock;
  readonly chance: Chance;
}

/** Who makes the call, by the name that the audit shows. */
export interface OperatorCaller {
  readonly name: string;
}

/** The handler of a call, whose answer is the one that the contract describes. */
export type Handle<Name extends OperatorCallName> = (
  options: OperatorCallOptions,
  call: JsonCall,
  by: OperatorCaller,
) => Promise<JsonReply<Name extends AnsweringCall ? OperatorAnswer<Name> : never>>;

export const NO_ACCOUNT: RefusedReply = refused("Account not found", 404);

/** Another account or person has the external id; `text` goes on after the field's name. @rule D13.externalIds */
export function takenId(text: string, details: NonNullable<RefusedReply["details"]>): RefusedReply {
  return { ...wrongField("externalId", text, 409), code: "external_id_taken", details };
}

export function namedBefore(externalId: string): RefusedReply {
  const problem = `is ${JSON.stringify(externalId)} already, and never changes`;
  return wrongField("externalId", problem, 409);
}
