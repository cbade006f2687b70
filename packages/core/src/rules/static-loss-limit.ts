import type { AccountState } from "../account/account.ts";
import type { MicroUsd } from "../units.ts";
import type { Measure } from "./limit.ts";
import { phaseTermsOf } from "./phase-terms.ts";

/**
 * The static loss limit: live equity against the starting balance. Unlike the end-of-day trailing
 * limit it is checked at every price, so no dip recovers before it counts.
 * @rule S2.1.2.static
 */
export function staticLossLimit(state: AccountState, equity: MicroUsd): Measure {
  return {
    rule: "staticLoss",
    anchor: state.terms.size,
    measured: equity,
    limitPct: phaseTermsOf(state).maxLossPct,
  };
}
