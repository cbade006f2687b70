import { type AccountState, type UnixMs, unixMs } from "@propgate/core";

const DAY_MS = 86_400_000;

/** When an account has to be looked at though nothing happens to it; null: never. */
export function nextDueAt(state: AccountState): UnixMs | null {
  return state.status === "active" ? unixMs(state.day.startMs + DAY_MS) : null;
}

/** The first 00:00 UTC after a moment. */
export function nextMidnight(after: UnixMs): UnixMs {
  return unixMs((Math.floor(after / DAY_MS) + 1) * DAY_MS);
}
