import type { AccountState } from "../account/account.ts";
import type { Draft } from "../network/draft.ts";
import { DAY_MS } from "../time/utc-day.ts";
import type { MicroUsd, UnixMs } from "../units.ts";
import { type Objective, objectivesAt } from "./objectives.ts";

/** The targets that a funded pro account keeps, day by day. */
const KEPT: readonly Objective["key"][] = ["calmar", "consistency"];

/** Those of a day's objectives that a funded pro account has to keep and that the day was beyond. */
export function missedTargets(objectives: readonly Objective[]): readonly Objective[] {
  return objectives.filter(({ key, met }) => KEPT.includes(key) && met === false);
}

/** Only a funded pro account's weeks can be held. @rule S2.1.1.softBreach */
export function softBreachApplies({ phase }: Pick<AccountState, "phase">): boolean {
  return phase === "proFunded";
}

/**
 * Judges a day by how it ended, as the end-of-day limit does: a dip within it that recovers costs
 * no week. To be asked when the day has just ended.
 * @rule S2.1.1.softBreach
 */
export function latchSoftBreach(
  draft: Draft,
  day: { readonly startMs: UnixMs; readonly equity: MicroUsd },
): void {
  const { state } = draft;
  if (!softBreachApplies(state) || state.pro === null) return;
  const missed = missedTargets(objectivesAt(state, state.pro, day.equity));
  if (missed.length > 0) draft.record({ type: "softBreached", dayStartMs: day.startMs });
}

/** Whether a day of the cycle in progress was beyond a target. @rule S2.1.1.softBreach */
export function isCycleHeld(state: Pick<AccountState, "phase" | "pro" | "earning">): boolean {
  const { pro, earning } = state;
  if (!softBreachApplies(state) || earning === null) return false;
  const day = pro?.breachedDayMs ?? null;
  return day !== null && day + DAY_MS > earning.windowStartMs;
}
