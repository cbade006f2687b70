import {
  ENDPOINTS,
  normalizePairName,
  type PendingOrder,
  type PositionItem,
  SIZE_FIELDS,
  type TradeItem,
} from "@propgate/contract";
import { sendRead } from "../read.ts";
import type { Connection } from "../send.ts";
import type { OrderRequest } from "./order-request.ts";

export interface Listings {
  readonly orders: readonly PendingOrder[];
  readonly positions: readonly PositionItem[];
  readonly trades: readonly TradeItem[];
}

export async function readListings(connection: Connection): Promise<Listings> {
  const read = <Row>({ path }: { readonly path: string }): Promise<readonly Row[]> =>
    sendRead(connection, { method: "GET", target: path });
  return {
    orders: await read<PendingOrder>(ENDPOINTS.getOrders),
    positions: await read<PositionItem>(ENDPOINTS.getPositions),
    trades: await read<TradeItem>(ENDPOINTS.getTrades),
  };
}

/**
 * Whether something listed can be told to be this order: an entry that rests, or what a market order
 * has opened, since that moment of the service's clock. Whatever adds to what was there before, and
 * whatever closes, edits or cancels, leaves nothing that could not be something else's.
 */
export function standsIn(listings: Listings, { trade }: OrderRequest, sinceMs: number): boolean {
  const pair = normalizePairName(trade.trade_pair ?? "");
  if (trade.execution_type === "LIMIT" || trade.execution_type === "STOP_LIMIT") {
    return listings.orders.some(
      (one) =>
        one.processedMs >= sinceMs &&
        one.tradePair === pair &&
        one.executionType === trade.execution_type &&
        one.orderType === trade.order_type &&
        one.limitPrice === trade.limit_price &&
        SIZE_FIELDS.every((field) => one[field] === (trade[field] ?? null)),
    );
  }
  if (trade.execution_type !== "MARKET") return false;
  const isIt = (one: PositionItem | TradeItem, openedMs: number): boolean =>
    openedMs >= sinceMs && one.tradePair === pair && one.positionType === trade.order_type;
  return (
    listings.positions.some((one) => isIt(one, one.openMs)) ||
    listings.trades.some((one) => isIt(one, one.openTimeMs))
  );
}
