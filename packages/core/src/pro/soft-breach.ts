import { softBreachApplies } from "../payouts/held-cycle.ts";
import type { Draft } from "../state/draft.ts";
import type { MicroUsd, UnixMs } from "../units.ts";
import { type Objective, objectivesAt } from "./objectives.ts";

/** The objectives that a funded pro account has to meet at the end of every day. */
const DAILY_TARGETS: readonly Objective["key"][] = ["calmar", "consistency"];

/** The daily targets of a funded pro account that these objectives miss. An unknown value misses none. */
export function missedTargets(objectives: readonly Objective[]): readonly Objective[] {
  return objectives.filter(({ key, met }) => DAILY_TARGETS.includes(key) && met === false);
}

/**
 * Records that a day of a funded pro account ended beyond a daily target. Only the end of the day counts: a dip that
 * recovers within the day does not withhold the week's share. This function has to run when the day has just ended.
 * @rule S2.1.1.softBreach
 */
export function recordSoftBreach(
  draft: Draft,
  day: { readonly startMs: UnixMs; readonly equity: MicroUsd },
): void {
  const { state } = draft;
  if (!softBreachApplies(state) || state.pro === null) return;
  const missed = missedTargets(objectivesAt(state, state.pro, day.equity));
  if (missed.length > 0) draft.record({ type: "softBreached", dayStartMs: day.startMs });
}
