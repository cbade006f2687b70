import type { Clock } from "../clock.ts";
import type { Parsed } from "../json/json-fields.ts";
import { type JsonCall, type JsonReply, refused } from "../json/json-reply.ts";
import type { Chance } from "../random.ts";
import type { OperatorWorld } from "./operator-world.ts";

export interface OperatorNeed {
  readonly world: OperatorWorld;
  readonly clock: Clock;
  readonly chance: Chance;
}

export type Handle = (need: OperatorNeed, call: JsonCall) => Promise<JsonReply>;

export const NO_ACCOUNT: JsonReply = refused("Account not found", 404);

export function wrong(parsed: Extract<Parsed<unknown>, { readonly ok: false }>): JsonReply {
  return refused(parsed.problem, 400);
}
