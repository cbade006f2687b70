import type { AccountState } from "../state/account.ts";
import type { Allowance } from "./limit.ts";
import { phaseTermsOf } from "./phase-terms.ts";

/**
 * The static loss limit: live equity against the starting balance. It is checked at every price, so a
 * dip counts even if it recovers. @rule S2.1.2.static decides
 */
export function staticLossLimit(state: AccountState): Allowance {
  return {
    rule: "staticLoss",
    anchor: state.terms.size,
    limitPct: phaseTermsOf(state).maxLossPct,
  };
}
