import {
  ENDPOINTS,
  isRecord,
  matchesPairName,
  type PendingOrder,
  type PositionItem,
  RESTING_EXECUTION_TYPES,
  type RestingExecutionType,
  SIZE_FIELDS,
  type TradeItem,
} from "@propgate/contract";
import { UnexpectedAnswerError } from "../errors.ts";
import type { FatePort } from "./fate-port.ts";
import type { OrderRequest } from "./order-request.ts";

/** The pending orders, open positions and closed trades of an account. */
export interface Listings {
  readonly orders: readonly PendingOrder[];
  readonly positions: readonly PositionItem[];
  readonly trades: readonly TradeItem[];
}

/** Reads the listings of the account. Throws UnexpectedAnswerError when one of them is not a list. */
export async function readListings(service: FatePort): Promise<Listings> {
  const read = async <Row>({ path }: { readonly path: string }): Promise<readonly Row[]> => {
    const rows = await service.read<unknown>(path, null);
    if (!Array.isArray(rows) || !rows.every(isRecord)) throw new UnexpectedAnswerError(200);
    return rows as readonly Row[];
  };
  return {
    orders: await read<PendingOrder>(ENDPOINTS.getOrders),
    positions: await read<PositionItem>(ENDPOINTS.getPositions),
    trades: await read<TradeItem>(ENDPOINTS.getTrades),
  };
}

/**
 * True when the listings certainly contain this order: as a pending entry that was placed since `sinceMs`, or as the
 * position or trade that a market order has opened since then. `sinceMs` is a time of the service's clock. An order
 * that adds to a position, attaches legs, closes, edits or cancels cannot be identified in the listings.
 */
export function isListed(listings: Listings, { trade }: OrderRequest, sinceMs: number): boolean {
  if (trade.execution_type === "MARKET") return hasOpened(listings, trade, sinceMs);
  return isRestingEntry(trade) && isPending(listings, trade, sinceMs);
}

type Trade = OrderRequest["trade"];
type MarketTrade = Extract<Trade, { readonly execution_type: "MARKET" }>;
type RestingEntry = Extract<
  Trade,
  { readonly execution_type: Exclude<RestingExecutionType, "BRACKET"> }
>;

function isRestingEntry(trade: Trade): trade is RestingEntry {
  const resting: readonly string[] = RESTING_EXECUTION_TYPES;
  return trade.execution_type !== "BRACKET" && resting.includes(trade.execution_type);
}

function isPending({ orders }: Listings, trade: RestingEntry, sinceMs: number): boolean {
  return orders.some(
    (one) =>
      one.processedMs >= sinceMs &&
      matchesPairName(trade.trade_pair, one) &&
      one.executionType === trade.execution_type &&
      one.orderType === trade.order_type &&
      one.limitPrice === ("limit_price" in trade ? trade.limit_price : null) &&
      SIZE_FIELDS.every((field) => one[field] === (trade[field] ?? null)),
  );
}

function hasOpened({ positions, trades }: Listings, trade: MarketTrade, sinceMs: number): boolean {
  const isOpenedBy = (one: PositionItem | TradeItem, openedMs: number): boolean =>
    openedMs >= sinceMs &&
    matchesPairName(trade.trade_pair, one) &&
    one.positionType === trade.order_type;
  return (
    positions.some((one) => isOpenedBy(one, one.openMs)) ||
    trades.some((one) => isOpenedBy(one, one.openTimeMs))
  );
}
