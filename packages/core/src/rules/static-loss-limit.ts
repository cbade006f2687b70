import type { AccountState } from "../state/account.ts";
import type { MicroUsd } from "../units.ts";
import type { Measure } from "./limit.ts";
import { phaseTermsOf } from "./phase-terms.ts";

/**
 * The static loss limit: live equity against the starting balance. It is checked at every price, so a
 * dip counts even if it recovers. @rule S2.1.2.static decides
 */
export function staticLossLimit(state: AccountState, equity: MicroUsd): Measure {
  return {
    rule: "staticLoss",
    anchor: state.terms.size,
    measured: equity,
    limitPct: phaseTermsOf(state).maxLossPct,
  };
}
