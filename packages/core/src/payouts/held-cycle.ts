import type { AccountState } from "../state/account.ts";
import { DAY_MS } from "../time/utc-day.ts";

/** Whether weeks of the account can be held: only those of a funded pro account can. @rule S2.1.1.softBreach */
export function softBreachApplies({ phase }: Pick<AccountState, "phase">): boolean {
  return phase === "proFunded";
}

/**
 * Whether the cycle in progress of a funded pro account is held. It is held when a day that missed a daily target (the
 * Calmar ratio or consistency) ended after the cycle began. @rule S2.1.1.softBreach decides
 */
export function isCycleHeld(state: Pick<AccountState, "phase" | "pro" | "earning">): boolean {
  const { pro, earning } = state;
  if (!softBreachApplies(state) || earning === null) return false;
  const day = pro?.breachedDayMs ?? null;
  return day !== null && day + DAY_MS > earning.windowStartMs;
}
