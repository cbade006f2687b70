import type { AccountState } from "../account/account.ts";
import type { Measure } from "./limit.ts";
import { phaseTermsOf } from "./phase-terms.ts";

/**
 * The end-of-day trailing limit: equity at the last 00:00 UTC against the highest equity of any
 * midnight. Live equity has no part in it, so a dip that recovers before midnight is no breach.
 * @rule S2.1.2.trailing
 */
export function endOfDayTrailing(state: AccountState): Measure {
  return {
    rule: "endOfDayTrailing",
    anchor: state.endOfDay.highWater,
    measured: state.endOfDay.equity,
    limitPct: phaseTermsOf(state).maxLossPct,
  };
}
