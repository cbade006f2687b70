/**
 * The warning levels of the loss limits, such as half of the allowed loss. A level is recorded when equity reaches it.
 */

import { assert } from "../assert.ts";
import type { AccountState, LossRule } from "../state/account.ts";
import { highestUsd, type MicroUsd, microUsd, type Percent } from "../units.ts";
import { type Allowance, canBeBreached, floorOf, type LossLimit } from "./limit.ts";
import { allowancesOf } from "./registry.ts";

/** A limit, and the level of its allowed loss that equity has reached and that is not recorded yet. */
export interface NearedLimit {
  readonly rule: LossRule;
  readonly level: Percent;
  readonly equity: MicroUsd;
  readonly floor: MicroUsd;
}

/**
 * The first limit that has a new level at this equity, with the highest of its new levels; null when there is none. A
 * level is new unless it was recorded on this day, or was recorded earlier and equity still reached it when this day
 * began. Limits of the day's end are judged when the day has just ended. @rule D9.limitNeared decides
 */
export function findNearedLimit(
  state: AccountState,
  equity: MicroUsd,
  checked: LossLimit["checked"],
): NearedLimit | null {
  for (const allowance of allowancesOf(state, checked)) {
    const from = highestNewLevelEquity(state, allowance);
    if (from === null || equity > from) continue;
    const level = highestReachedLevel(state, allowance, equity);
    assert(level !== null, "a level from which on there is a new one");
    return { rule: allowance.rule, level, equity, floor: floorOf(allowance) };
  }
  return null;
}

/** The highest equity at which a live limit has a new level; null when no live limit has one. @rule D9.limitNeared */
export function highestNearingEquity(state: AccountState): MicroUsd | null {
  return highestUsd(allowancesOf(state, "live").map((one) => highestNewLevelEquity(state, one)));
}

/**
 * The highest equity that reaches a level which is not recorded; null when every level is recorded, or the limit cannot
 * be breached.
 */
function highestNewLevelEquity(state: AccountState, allowance: Allowance): MicroUsd | null {
  if (!canBeBreached(allowance)) return null;
  const recorded = recordedLevel(state, allowance);
  const level = state.terms.nearLevels?.find((one) => one > recorded);
  return level === undefined ? null : equityAtLevel(allowance, level);
}

/**
 * The highest level of a limit that counts as recorded, so that it is not recorded again; 0 when there is none. A
 * record of this day counts in full. A record of an earlier day counts only up to the level that equity had reached
 * when this day began, which for the daily limit is none.
 */
function recordedLevel(state: AccountState, allowance: Allowance): number {
  const recorded = state.neared?.[allowance.rule];
  if (recorded === undefined) return 0;
  const { startMs, startEquity } = state.day;
  if (recorded.dayStartMs === startMs) return recorded.level;
  return Math.min(recorded.level, highestReachedLevel(state, allowance, startEquity) ?? 0);
}

function highestReachedLevel(
  { terms }: AccountState,
  allowance: Allowance,
  equity: MicroUsd,
): Percent | null {
  return terms.nearLevels?.findLast((level) => equity <= equityAtLevel(allowance, level)) ?? null;
}

/** The highest equity at which this percentage of the allowed loss is used up. Levels are whole percents. */
function equityAtLevel(allowance: Allowance, level: Percent): MicroUsd {
  const { anchor } = allowance;
  return microUsd(anchor - Math.ceil(((anchor - floorOf(allowance)) * level) / 100));
}
