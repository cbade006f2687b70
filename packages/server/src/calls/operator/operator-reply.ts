import type { Chance, Clock } from "@propgate/base";
import type { AnsweringCall, OperatorAnswer, OperatorCallName } from "@propgate/contract";
import type { ParseProblem } from "../json/json-fields.ts";
import { type JsonCall, type JsonReply, type RefusedReply, refused } from "../json/json-reply.ts";
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

export function wrong({ problem, code, field }: ParseProblem): RefusedReply {
  return {
    ...refused(problem, 400),
    ...(code === undefined ? {} : { code }),
    ...(field === undefined ? {} : { field }),
  };
}

/** Another account or person has the external id; `text` goes on after the field's name. @rule D13.externalIds */
export function takenId(text: string, details: NonNullable<RefusedReply["details"]>): RefusedReply {
  return { ...refused(`externalId: ${text}`), code: "external_id_taken", details };
}

export function namedBefore(externalId: string): RefusedReply {
  return refused(`externalId: is ${JSON.stringify(externalId)} already, and never changes`);
}
