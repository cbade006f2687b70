import type { AccountState } from "../state/account.ts";
import type { Allowance } from "./limit.ts";
import { phaseTermsOf } from "./phase-terms.ts";

/**
 * The daily loss limit: it compares live equity, including open losses, with the equity at the start of the UTC day.
 * Its floor moves only at 00:00 UTC, and when a phase restarts the account at its size. @rule S2.1.2.dailyLoss decides
 */
export function dailyLossAllowance(state: AccountState): Allowance {
  return {
    rule: "dailyLoss",
    anchor: state.day.startEquity,
    limitPct: phaseTermsOf(state).dailyLossPct,
  };
}
