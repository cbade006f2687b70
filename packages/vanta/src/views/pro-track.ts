import { type Linked, OBJECTIVE_LABELS, type Objective, type ProTrack } from "@propgate/contract";
import { nextUtcMonday, type Phase, type UnixMs } from "@propgate/core";
import { roundedPercent, usdOrNull } from "@propgate/wire";
import type { LinkedReadings, ProStatistics } from "../dashboard/linked-readings.ts";
import type { MaybeUnknown } from "./exact-usd.ts";
import { phaseOf } from "./phase.ts";

const PRO_TRACK_PHASES: Readonly<Partial<Record<Phase, ProTrack<Linked>["phase"]>>> = {
  proTransition: "transition",
  proChallengeDirect: "challenge",
  proChallengeFromStandard: "challenge",
  proFunded: "funded",
};

/**
 * The account's state on the pro track; null for an account that is not on it. `accountReturn`: the lesser of balance
 * and equity, minus the size, as a ratio of the size. @rule S2.1.1
 */
export function linkedProTrack(
  readings: LinkedReadings,
  accountReturn: MaybeUnknown<number>,
  now: UnixMs,
): ProTrack<Linked> | null {
  const phase = proPhaseOf(readings);
  if (phase === null) return null;
  const { info, pro } = readings;
  const isTransition = phase === "transition";
  const applies = phase === "funded" && pro?.softBreachApplies !== false;
  return {
    phase,
    transitionEndsAtMs: isTransition ? nextUtcMonday(now) : null,
    standardAccountSize: usdOrNull(info.standardSize),
    proAccountSize: usdOrNull(info.proSize),
    hasStats: pro !== null,
    evaluated: isEvaluated(pro),
    // In the transition the pro account has no return yet.
    objectives: objectives(pro, isTransition ? null : accountReturn),
    maxDrawdownPercent: maxDrawdownPct(pro),
    softBreachApplies: applies,
    softBreach: applies ? (pro?.softBreach ?? null) : false,
  };
}

/**
 * The trading days of the pro account. Null for an account that is not on the pro track, and without statistics.
 * @rule S2.1
 */
export function linkedTradingDays(readings: LinkedReadings): number | null {
  return proPhaseOf(readings) === null ? null : (readings.pro?.tradingDays ?? null);
}

function proPhaseOf(readings: LinkedReadings): ProTrack<Linked>["phase"] | null {
  const phase = phaseOf(readings);
  return phase === null ? null : (PRO_TRACK_PHASES[phase] ?? null);
}

function isEvaluated(pro: ProStatistics | null): boolean {
  return pro !== null && pro.tradingDays !== null && pro.tradingDays >= 1;
}

function maxDrawdownPct(pro: ProStatistics | null): MaybeUnknown<number> {
  return pro === null || pro.oneMinusMaxDrawdown === null
    ? null
    : roundedPercent(1 - pro.oneMinusMaxDrawdown);
}

/** The objectives of the pro account. Calmar and consistency are unknown before the first full trading day. */
function objectives(
  pro: ProStatistics | null,
  accountReturn: MaybeUnknown<number>,
): readonly Objective[] {
  const evaluated = isEvaluated(pro) ? pro : null;
  return [
    atLeast("return", accountReturn, pro?.returnThreshold),
    atLeast("calmar", evaluated?.calmar, pro?.calmarThreshold),
    atMost("consistency", evaluated?.consistency, pro?.consistencyThreshold),
    atLeast("days", pro?.tradingDays, pro?.daysThreshold),
  ];
}

type Figure = number | null | undefined;

function atLeast(key: Objective["key"], value: Figure, threshold: Figure): Objective {
  return objective(key, value, threshold, (one, other) => one >= other);
}

function atMost(key: Objective["key"], value: Figure, threshold: Figure): Objective {
  return {
    ...objective(key, value, threshold, (one, other) => one <= other),
    higherIsBetter: false,
  };
}

/** An objective of the pro account. `met` is null while value or threshold is unknown. @rule S2.1.1 */
function objective(
  key: Objective["key"],
  value: Figure,
  threshold: Figure,
  isMet: (value: number, threshold: number) => boolean,
): Objective {
  const [known, target] = [value ?? null, threshold ?? null];
  return {
    key,
    label: OBJECTIVE_LABELS[key],
    value: known,
    threshold: target,
    higherIsBetter: true,
    met: known === null || target === null ? null : isMet(known, target),
  };
}
