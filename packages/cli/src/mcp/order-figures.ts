import type {
  Linked,
  OrderFields,
  OrderSize,
  PendingOrder,
  PositionItem,
  Preview,
} from "@propgate/contract";
import type { Client, OneSize, OrderRequest } from "@propgate/sdk";

/** An order with a size: it opens a position, adds to one or reduces one. */
export type SizedOrder = Extract<OrderFields, { readonly size: OrderSize }>;

/** The figures of the account in USD. */
export interface AccountFigures {
  readonly balanceUsd: number;
  readonly equityUsd: number;
  /** The equity at the start of the UTC day, USD; null when the service has no drawdown data. */
  readonly dayStartUsd: number | null;
}

/**
 * The figures of the service that the caps are compared with; null when the service does not have one. The account, the
 * positions, the pending orders and the market lot of each pair are read at most once.
 */
export interface OrderFigures {
  /**
   * Balance, equity and the equity at the start of the UTC day. Null when the service marks its figures as stale, or
   * does not know the balance or the equity.
   */
  account(): Promise<AccountFigures | null>;
  positions(): Promise<readonly PositionItem<Linked>[]>;
  pendingOrders(): Promise<readonly PendingOrder[]>;
  /**
   * The value of one lot of the order's pair, USD, at the highest price at which the order may fill: the market's
   * price, or the order's own limit or stop.
   */
  lotUsd(order: SizedOrder): Promise<number | null>;
  /** The value of one lot at the market price, and that price; `quantity` must be tradable. */
  marketLot(pair: string, quantity: number): Promise<MarketLot | null>;
  /** Aborts at the deadline of all reads. */
  readonly signal: AbortSignal;
}

/** The value of one lot at the market price in USD, and that price. */
export interface MarketLot {
  readonly lotUsd: number;
  readonly price: number;
}

type ReadClient = Pick<Client<Linked>, "account" | "positions" | "pendingOrders" | "preview">;

/** The figures for one order. All reads together must end within `limitMs`. */
export function createOrderFigures(client: ReadClient, limitMs: number): OrderFigures {
  const signal = AbortSignal.timeout(limitMs);
  const preview = (body: OrderRequest): Promise<Preview> => client.preview(body, { signal });
  const lots = new Map<string, Promise<MarketLot | null>>();
  return {
    signal,
    account: readOnce(() => readAccount(client, signal)),
    positions: readOnce(() => client.positions({ signal })),
    pendingOrders: readOnce(() => client.pendingOrders({ signal })),
    lotUsd: (order) => readLotUsd(preview, order),
    marketLot(pair, quantity) {
      const lot = lots.get(pair) ?? readMarketLot(preview, pair, quantity);
      lots.set(pair, lot);
      return lot;
    },
  };
}

function readOnce<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | null = null;
  return () => (value ??= read());
}

/**
 * Balance, equity and the equity at the start of the UTC day. Null when the service marks its figures as stale, or does
 * not know the balance or the equity.
 */
export async function readAccount(
  client: Pick<Client<Linked>, "account">,
  signal: AbortSignal,
): Promise<AccountFigures | null> {
  const { account, meta, drawdownRules } = await client.account({ signal });
  const { currentBalance, currentEquity } = account;
  if (meta.stale || currentBalance === null || currentEquity === null) return null;
  return {
    balanceUsd: currentBalance,
    equityUsd: currentEquity,
    dayStartUsd: drawdownRules?.dailyLoss.dayStartEquity ?? null,
  };
}

async function readMarketLot(
  preview: (order: OrderRequest) => Promise<Preview>,
  pair: string,
  quantity: number,
): Promise<MarketLot | null> {
  const entry = { execution_type: "MARKET", trade_pair: pair, order_type: "LONG" } as const;
  const found = await preview({ trade: { ...entry, quantity } });
  const lot = lotOf(found);
  return lot === null ? null : { lotUsd: lot, price: found.price };
}

/**
 * The value of one lot at the highest price at which the order may fill. A purchase fills at most at its limit. A sale
 * fills at its limit or higher: when the limit is below the market it fills at the market price, and when the limit is
 * below the stop it may fill at the stop.
 */
async function readLotUsd(
  preview: (order: OrderRequest) => Promise<Preview>,
  order: SizedOrder,
): Promise<number | null> {
  const { pair: trade_pair, orderType: order_type } = order;
  const entry = { trade_pair, order_type, ...sizeOf(order) };
  const atMarket: OrderRequest = { trade: { ...entry, execution_type: "MARKET" } };
  const stop = "stopPrice" in order ? order.stopPrice : null;
  // An order with a stop and no limit is bought or sold at its stop.
  const limit = "limitPrice" in order ? order.limitPrice : stop;
  if (limit === null) return lotOf(await preview(atMarket));
  const isSale = order.orderType === "SHORT";
  const limit_price = isSale ? Math.max(limit, stop ?? 0) : limit;
  const now = isSale ? await preview(atMarket) : null;
  if (now !== null && now.price >= limit_price) return lotOf(now);
  return lotOf(await preview({ trade: { ...entry, execution_type: "LIMIT", limit_price } }));
}

function sizeOf({ size: { field, amount } }: SizedOrder): OneSize {
  if (field === "leverage") return { leverage: amount };
  return field === "value" ? { value: amount } : { quantity: amount };
}

/** The value of one lot; null when the order would fill 0 lots, because the value of a lot is then unknown. */
function lotOf({ quantity, value }: Preview): number | null {
  return quantity > 0 ? value / quantity : null;
}
