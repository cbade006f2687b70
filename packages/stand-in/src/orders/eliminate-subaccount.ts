import { cancelRestingOrder, nextChangeTime } from "../network/changes.ts";
import { bookFill } from "../network/fill.ts";
import { instrumentOf } from "../network/instruments.ts";
import {
  type Elimination,
  type NetworkState,
  ORDER_SRC,
  type Subaccount,
} from "../network/state.ts";
import { midPriceOf, openPositions } from "../network/valuation.ts";

/**
 * Closes the positions, cancels the orders and ends the subaccount. A position closes at the middle of its pair's bid
 * and ask, or at its average entry price when the pair has no price. Does nothing for a subaccount that was eliminated
 * before.
 */
export function eliminateSubaccount(
  state: NetworkState,
  account: Subaccount,
  { reason, dd }: Omit<Elimination, "atMs">,
  nowMs: number,
): void {
  if (account.elimination !== null) return;
  for (const position of openPositions(account)) {
    const pair = instrumentOf(position.pair);
    const price = state.prices[position.pair];
    if (pair === undefined) continue;
    bookFill({
      state,
      account,
      pair,
      type: "FLAT",
      size: null,
      price: price === undefined ? position.averageEntry : midPriceOf(price),
      uuid: `${position.uuid}-close-${ORDER_SRC.eliminationFlat}`,
      src: ORDER_SRC.eliminationFlat,
      executionType: "MARKET",
      nowMs,
      from: null,
    });
  }
  for (const order of account.resting) {
    cancelRestingOrder(
      account,
      order,
      nextChangeTime(state, nowMs),
      ORDER_SRC.eliminationCancelled,
    );
  }
  account.elimination = { atMs: nextChangeTime(state, nowMs), reason, dd };
  account.status = "eliminated";
}
