import { addUsd, type MicroUsd, subtractUsd } from "../units.ts";
import type { AccountState } from "./account.ts";

/** What is settled: size + realized − fees. Open positions are not in it. @rule D4.balance */
export function balanceOf(state: Pick<AccountState, "terms" | "realized" | "fees">): MicroUsd {
  return subtractUsd(addUsd(state.terms.size, state.realized), state.fees);
}
