import type { Client, OrderRequest } from "@propgate/sdk";
import type { OrderFigures, SizedOrder } from "./cap-check.ts";

/** Reads what the caps need from the service. */
export function orderFigures(client: Pick<Client, "account" | "preview">): OrderFigures {
  return {
    balanceUsd: async () => {
      const { account, meta } = await client.account();
      return meta.stale ? null : account.currentBalance;
    },
    lotUsd: async (order) => {
      const { quantity, value } = await client.preview(previewOf(order));
      return quantity > 0 ? value / quantity : null;
    },
  };
}

/** An edit is looked at as the order that it makes. */
function previewOf(order: SizedOrder): OrderRequest {
  const trade = {
    execution_type: order.executionType,
    trade_pair: order.pair,
    order_type: order.orderType,
    [order.size.field]: order.size.amount,
  };
  if (order.executionType === "MARKET") return { trade };
  const limit = { ...trade, limit_price: order.limitPrice };
  if (order.executionType === "LIMIT") return { trade: limit };
  const { stopPrice: stop_price, stopCondition: stop_condition } = order;
  return { trade: { ...limit, stop_price, stop_condition } };
}
