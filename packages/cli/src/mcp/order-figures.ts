import type { Preview } from "@propgate/contract";
import type { Client, OrderRequest } from "@propgate/sdk";
import type { OrderFigures, SizedOrder } from "./cap-check.ts";

type Previews = Pick<Client, "preview">;

/** Reads what the caps need from the service. */
export function orderFigures(client: Pick<Client, "account"> & Previews): OrderFigures {
  return {
    balanceUsd: async () => {
      const { account, meta } = await client.account();
      return meta.stale ? null : account.currentBalance;
    },
    lotUsd: (order) => lotUsd(client, order),
  };
}

/**
 * The most that one lot may be sold or bought for. A purchase costs its limit at most. A sale brings
 * its limit at least: below the market it is filled at the market, behind a stop at the stop.
 */
async function lotUsd(client: Previews, order: SizedOrder): Promise<number | null> {
  const entry = {
    trade_pair: order.pair,
    order_type: order.orderType,
    [order.size.field]: order.size.amount,
  };
  const atMarket: OrderRequest = { trade: { ...entry, execution_type: "MARKET" } };
  if (order.executionType === "MARKET") return lotOf(await client.preview(atMarket));
  const stop = order.executionType === "STOP_LIMIT" ? order.stopPrice : 0;
  const isSale = order.orderType === "SHORT";
  const limit_price = isSale ? Math.max(order.limitPrice, stop) : order.limitPrice;
  const now = isSale ? await client.preview(atMarket) : null;
  if (now !== null && now.price >= limit_price) return lotOf(now);
  return lotOf(await client.preview({ trade: { ...entry, execution_type: "LIMIT", limit_price } }));
}

/** Null: none would be filled, so nothing says what one is worth. */
function lotOf({ quantity, value }: Preview): number | null {
  return quantity > 0 ? value / quantity : null;
}
