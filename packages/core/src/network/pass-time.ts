import type { AccountState } from "../account/account.ts";
import { equityOf } from "../account/equity.ts";
import { eliminationBy } from "../rules/elimination.ts";
import { dayEndBreach } from "../rules/registry.ts";
import { midnightsBetween, nextUtcMidnight } from "../time/utc-day.ts";
import type { UnixMs } from "../units.ts";
import type { Draft } from "./draft.ts";
import { eliminate } from "./elimination.ts";

/**
 * Ends every UTC day that is over, oldest first, at the prices of now: a midnight that was missed
 * is made up, and its event's own time says how late. A day whose equity cannot be known yet waits
 * for its prices. @rule D7.midnight S2.1.2.trailing
 */
export function passTime(draft: Draft): void {
  for (const midnightMs of midnightsBetween(draft.state.day.startMs, draft.moment.now)) {
    const equity = equityOf(draft.state, draft.moment);
    if (!equity.ok) return;
    draft.record({ type: "dayEnded", midnightMs, equity: equity.value, balance: draft.balance });
    const breach = dayEndBreach(draft.state);
    if (breach === null) continue;
    eliminate(draft, eliminationBy(draft.state, breach, draft.moment.now));
    return;
  }
}

/** When `passTime` next has something to do for the account; null: never again. */
export function dueAtMs(state: AccountState): UnixMs | null {
  return state.status === "active" ? nextUtcMidnight(state.day.startMs) : null;
}
