import type { LimitFigures } from "../account/snapshot.ts";
import { type MicroUsd, microUsd, type Percent, percent } from "../units.ts";

/** Percents of the terms have at most two decimals, so in hundredths they are whole. */
const HUNDREDTHS = 100;

export interface Measure {
  readonly rule: LimitFigures["rule"];
  readonly anchor: MicroUsd;
  readonly measured: MicroUsd;
  readonly limitPct: Percent;
}

/** At every price, or once a day for the equity of that midnight. */
export const WHEN_CHECKED: Readonly<Record<LimitFigures["rule"], "live" | "endOfDay">> = {
  dailyLoss: "live",
  staticLoss: "live",
  endOfDayTrailing: "endOfDay",
};

/** One limit's figures, from which every place that shows or checks it takes them. @rule D4.drawdown */
export function limitFigures(measure: Measure): LimitFigures {
  const { rule, anchor, measured, limitPct } = measure;
  const used = Math.max(0, anchor - measured);
  const allowed = Math.max(0, Math.round((anchor * limitPct) / 100));
  return {
    rule,
    usedPct: percent(anchor > 0 ? (used * 100) / anchor : 0),
    limitPct,
    anchor,
    measured,
    allowed: microUsd(allowed),
    used: microUsd(used),
    remaining: microUsd(Math.max(0, allowed - used)),
    floor: floorOf(measure),
  };
}

/** Beyond the limit, not at it. @rule D7.breach */
export function isBreached(measure: Measure): boolean {
  return measure.measured < floorOf(measure);
}

/**
 * anchor × (1 − limit), the least that survives. Counted in whole numbers, because a rounded
 * percent would let 94,999.999999 of 100,000 pass as 5 %.
 * @rule D7.breach
 */
function floorOf({ anchor, limitPct }: Measure): MicroUsd {
  const scaled = anchor * Math.round(limitPct * HUNDREDTHS);
  const whole = 100 * HUNDREDTHS;
  return microUsd(anchor - (scaled - (scaled % whole)) / whole);
}
