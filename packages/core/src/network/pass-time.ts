import type { AccountState } from "../account/account.ts";
import { nextUtcMidnight } from "../time/utc-day.ts";
import type { UnixMs } from "../units.ts";

/** When `passTime` next has something to do for the account; null: never again. */
export function dueAtMs(state: AccountState): UnixMs | null {
  return state.status === "active" ? nextUtcMidnight(state.day.startMs) : null;
}
