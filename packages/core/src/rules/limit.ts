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

/** One limit's figures, from which every place that shows or checks it takes them. @rule D4.drawdown */
export function limitFigures({ rule, anchor, measured, limitPct }: Measure): LimitFigures {
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
  };
}

/**
 * Beyond the limit, not at it. Whole numbers are compared, because a rounded percent would let
 * 94,999.999999 of 100,000 pass as 5 %.
 * @rule D7.breach
 */
export function isBreached({ anchor, measured, limitPct }: Omit<Measure, "rule">): boolean {
  const limitHundredths = Math.round(limitPct * HUNDREDTHS);
  return (anchor - measured) * 100 * HUNDREDTHS > anchor * limitHundredths;
}
