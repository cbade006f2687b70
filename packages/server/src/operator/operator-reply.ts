import type { Clock } from "../clock.ts";
import type { Parsed } from "./operator-requests.ts";
import type { OperatorWorld } from "./operator-world.ts";

export interface OperatorCall {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export type OperatorReply =
  | { readonly status: 200; readonly data: unknown }
  /** A file, sent as it is made. */
  | { readonly status: 200; readonly content: AsyncIterable<Uint8Array>; readonly type: string }
  | { readonly status: 400 | 404 | 409; readonly error: string };

export interface OperatorNeed {
  readonly world: OperatorWorld;
  readonly clock: Clock;
}

export type Handle = (need: OperatorNeed, call: OperatorCall) => Promise<OperatorReply>;

export const NO_ACCOUNT: OperatorReply = { status: 404, error: "Account not found" };

export function fine(data: unknown): OperatorReply {
  return { status: 200, data };
}

export function wrong(parsed: Extract<Parsed<unknown>, { readonly ok: false }>): OperatorReply {
  return { status: 400, error: parsed.problem };
}

export function refused(error: string, status: 400 | 404 | 409 = 409): OperatorReply {
  return { status, error };
}
