import type { AccountState } from "../state/account.ts";
import type { Allowance } from "./limit.ts";
import { phaseTermsOf } from "./phase-terms.ts";

/**
 * The static loss limit: it compares live equity with the starting balance. It is checked at every price, so a dip is a
 * breach even if it recovers. @rule S2.1.2.static decides
 */
export function staticLossAllowance(state: AccountState): Allowance {
  return {
    rule: "staticLoss",
    anchor: state.terms.size,
    limitPct: phaseTermsOf(state).maxLossPct,
  };
}
