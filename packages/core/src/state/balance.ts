import { type MicroUsd, microUsd } from "../units.ts";
import type { AccountState } from "./account.ts";

/**
 * The balance: the size of the present phase + realized PnL − fees, in whole micro dollars. Open positions do not
 * count. @rule D4.balance decides
 */
export function balanceOf(state: Pick<AccountState, "terms" | "realized" | "fees">): MicroUsd {
  return microUsd(state.terms.size + state.realized - state.fees);
}
