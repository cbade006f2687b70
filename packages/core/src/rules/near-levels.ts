/** The levels of the loss limits, such as half of what may be lost, that are recorded when equity reaches them. */
import type { AccountState } from "../state/account.ts";
import type { MicroUsd, Percent } from "../units.ts";
import { floorOf, type LossLimit, type Measure } from "./limit.ts";
import { LOSS_LIMITS } from "./registry.ts";

/** A limit of which equity has used up a level that is not recorded. */
export interface NearedLimit {
  readonly measure: Measure;
  readonly level: Percent;
  readonly floor: MicroUsd;
}

const IN_ORDER: readonly LossLimit[] = Object.values(LOSS_LIMITS);

/**
 * The first limit with a new level, and its highest one; null when there is none. Limits of the day's end are
 * judged when the day has just ended. @rule D9.limitNeared decides
 */
export function nearedLimit(
  state: AccountState,
  equity: MicroUsd,
  checked: LossLimit["checked"],
): NearedLimit | null {
  const { nearLevels = [] } = state.terms;
  if (nearLevels.length === 0) return null;
  for (const limit of IN_ORDER) {
    if (limit.checked !== checked || !limit.binds(state)) continue;
    const measure = limit.measure(state, equity);
    const level = highestReached(nearLevels, measure);
    if (level === null || level <= recordedLevel(state, limit, measure.rule)) continue;
    return { measure, level, floor: floorOf(measure) };
  }
  return null;
}

/**
 * The level of a limit that needs no other record. One of an earlier day counts only as far as equity was at it
 * when the day began, and one of the daily limit not at all.
 */
function recordedLevel(state: AccountState, limit: LossLimit, rule: Measure["rule"]): number {
  const recorded = state.neared?.[rule];
  if (recorded === undefined) return 0;
  const { startMs, startEquity } = state.day;
  if (recorded.dayStartMs === startMs) return recorded.level;
  const then = highestReached(state.terms.nearLevels ?? [], limit.measure(state, startEquity));
  return Math.min(recorded.level, then ?? 0);
}

/** In whole numbers, as the floor. */
function highestReached(levels: readonly Percent[], measure: Measure): Percent | null {
  const { anchor, measured } = measure;
  if (anchor <= 0) return null;
  const allowed = anchor - floorOf(measure);
  return levels.findLast((level) => (anchor - measured) * 100 >= allowed * level) ?? null;
}
