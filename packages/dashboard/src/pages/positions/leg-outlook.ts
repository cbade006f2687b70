import type { Linked, MarketView, PendingOrder, PositionItem } from "@propgate/contract";

/**
 * The price at which a position could be closed at this moment: the bid for a LONG, the ask for a SHORT. Null without a
 * quote.
 */
export function markOf(
  positionType: PositionItem<Linked>["positionType"],
  market: MarketView | undefined,
): number | null {
  const quote = market?.quote ?? null;
  if (quote === null) return null;
  return positionType === "LONG" ? quote.bid : quote.ask;
}

/** How far the market is from a stop or target, and the PnL when it is reached. */
export interface LevelOutlook {
  readonly price: number;
  /** The distance from the mark to the price, with a sign; null without a mark. */
  readonly distance: number | null;
  readonly distancePct: number | null;
  /** The PnL in USD, before fees, of the share of the position that would be closed. Null when it is unknown. */
  readonly pnl: number | null;
}

interface Level {
  readonly position: PositionItem<Linked>;
  readonly price: number;
  readonly mark: number | null;
  /** The share of the position that is closed, from 0 to 1; null when it is unknown. */
  readonly share: number | null;
}

/** The distance and the PnL of a stop or target, converted to USD at present rates. */
export function levelOutlook({ position, price, mark, share }: Level): LevelOutlook {
  const away = mark === null ? null : price - mark;
  return {
    price,
    distance: away === null ? null : withoutNoise(away),
    distancePct: away === null || mark === null ? null : (away * 100) / mark,
    pnl: mark === null || share === null ? null : pnlAt({ position, price, mark, share }),
  };
}

/**
 * The PnL in USD of a close at a price. One unit of a pair with base USD earns 1 − entry / price, because its PnL is
 * converted to USD at `price` itself. One unit of any other pair earns price − entry, converted at the rate with which
 * the position is valued at the mark. Null when a figure is unknown.
 */
function pnlAt(at: {
  readonly position: PositionItem<Linked>;
  readonly price: number;
  readonly mark: number;
  readonly share: number;
}): number | null {
  const { position, price, mark, share } = at;
  const entry = position.averageEntryPrice;
  if (position.netValue === null || entry === null) return null;
  const buysDollars = position.tradePairDisplay.startsWith("USD/");
  const perDollar = buysDollars ? 1 - entry / price : (price - entry) / mark;
  return position.netValue * perDollar * share;
}

/** The share of the position that a leg closes, from 0 to 1; null when it is unknown. */
export function shareOf(leg: PendingOrder, position: PositionItem<Linked>): number | null {
  if (leg.bracketPct !== null) return leg.bracketPct;
  if (leg.quantity !== null) return partOf(leg.quantity, position.netQuantity);
  if (leg.value !== null) return partOf(leg.value, position.netValue);
  if (leg.leverage !== null) return partOf(leg.leverage, position.netLeverage);
  return 1;
}

function partOf(size: number, whole: number | null): number | null {
  return whole === null || whole === 0 ? null : Math.min(1, size / Math.abs(whole));
}

/** True when the leg has a fixed or a trailing stop. */
export function hasStop({ stopLoss, trailingPercent, trailingValue }: PendingOrder): boolean {
  return stopLoss !== null || trailingPercent !== null || trailingValue !== null;
}

/**
 * The price at which the stop of a leg triggers at this moment. For a linked account, the validator sends only the
 * nearest stop of each position. So the price of a trailing stop is null when its position has several stops.
 */
export function stopPriceOf(
  leg: PendingOrder,
  position: PositionItem<Linked>,
  legs: readonly PendingOrder[],
): number | null {
  if (leg.trailingPercent === null && leg.trailingValue === null) return leg.stopLoss;
  if (leg.currentStop !== null) return leg.currentStop;
  return legs.filter(hasStop).length === 1 ? position.stopLoss : null;
}

/** The distance of a trailing stop, in percent such as 2, or as a price such as 150. Null for a fixed stop. */
export function trailingOf(leg: PendingOrder): { percent: number } | { price: number } | null {
  if (leg.trailingPercent !== null) return { percent: leg.trailingPercent * 100 };
  return leg.trailingValue === null ? null : { price: leg.trailingValue };
}

/**
 * The price at which an entry triggers, the market's price that is compared with it, and the distance between the two
 * in percent of the market's price. Null without a quote or a price.
 */
export function entryOutlook(
  order: PendingOrder,
  market: MarketView | undefined,
): { readonly price: number; readonly market: number; readonly awayPct: number } | null {
  const quote = market?.quote ?? null;
  if (quote === null) return null;
  const entrySide = order.orderType === "LONG" ? quote.ask : quote.bid;
  // Until its stop is reached, a STOP_LIMIT compares the mid price.
  const isStop = order.stopPrice !== null;
  const price = order.stopPrice ?? order.limitPrice;
  if (price === null) return null;
  const at = isStop ? (quote.bid + quote.ask) / 2 : entrySide;
  return { price, market: at, awayPct: ((price - at) * 100) / at };
}

/** The number with twelve significant digits, which is finer than every tick: 0.3 for 0.30000000000000004. */
function withoutNoise(value: number): number {
  return Number(value.toPrecision(12));
}
