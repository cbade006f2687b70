import type { AccountState } from "../state/account.ts";
import type { Allowance } from "./limit.ts";
import { phaseTermsOf } from "./phase-terms.ts";

/**
 * The end-of-day trailing limit: it compares the equity at the last 00:00 UTC with the high-water mark. Live equity
 * does not count, so a dip that recovers before midnight is not a breach. @rule S2.1.2.trailing decides
 */
export function endOfDayTrailingAllowance(state: AccountState): Allowance {
  return {
    rule: "endOfDayTrailing",
    anchor: state.endOfDay.highWater,
    limitPct: phaseTermsOf(state).maxLossPct,
  };
}
