import type { AccountState } from "../state/account.ts";
import type { MicroUsd } from "../units.ts";
import type { Measure } from "./limit.ts";
import { phaseTermsOf } from "./phase-terms.ts";

/**
 * The daily loss limit: live equity, including open losses, against the equity at the start of the UTC
 * day. The floor moves only at 00:00 UTC. @rule S2.1.2.dailyLoss decides
 */
export function dailyLoss(state: AccountState, equity: MicroUsd): Measure {
  return {
    rule: "dailyLoss",
    anchor: state.day.startEquity,
    measured: equity,
    limitPct: phaseTermsOf(state).dailyLossPct,
  };
}
