import type { Linked, MarketView, PendingOrder, PositionItem } from "@propgate/contract";

/** The price at which a position could be closed now: the bid for a LONG, the ask for a SHORT. */
export function markOf(
  positionType: PositionItem<Linked>["positionType"],
  market: MarketView | undefined,
): number | null {
  const quote = market?.quote ?? null;
  if (quote === null) return null;
  return positionType === "LONG" ? quote.bid : quote.ask;
}

export interface LevelOutlook {
  readonly price: number;
  /** Signed distance from the mark to the price; null without a mark. */
  readonly away: number | null;
  readonly awayPct: number | null;
  /** Profit or loss of the closed part since its entry, before fees, USD. */
  readonly pnl: number | null;
}

interface Level {
  readonly position: PositionItem<Linked>;
  readonly price: number;
  readonly mark: number | null;
  /** Share of the position, 0 to 1. */
  readonly share: number | null;
}

/** Distance and profit of a stop or target, at current rates. */
export function levelOutlook({ position, price, mark, share }: Level): LevelOutlook {
  const away = mark === null ? null : price - mark;
  return {
    price,
    away: away === null ? null : withoutNoise(away),
    awayPct: away === null || mark === null ? null : (away * 100) / mark,
    pnl: mark === null || share === null ? null : pnlAt({ position, price, mark, share }),
  };
}

/**
 * A unit of a pair with base USD earns 1 − entry / price, because it converts at that same price.
 * Every other pair earns price − entry, converted at the rate contained in its value at the mark.
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

/** The share of its position that a leg closes; null when unknown or of another position. */
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

export function hasStop({ stopLoss, trailingPercent, trailingValue }: PendingOrder): boolean {
  return stopLoss !== null || trailingPercent !== null || trailingValue !== null;
}

/**
 * The price at which a leg's stop triggers now. A linked account has a trailing stop only as its position's nearest
 * stop, so with several stops it is unknown, and null.
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

/** The distance of a trailing stop, `2%` or `150`; null for a fixed stop. */
export function trailingOf(leg: PendingOrder): { percent: number } | { price: number } | null {
  if (leg.trailingPercent !== null) return { percent: leg.trailingPercent * 100 };
  return leg.trailingValue === null ? null : { price: leg.trailingValue };
}

/** The trigger price of an entry, and the market's price on the relevant side. */
export function entryOutlook(
  order: PendingOrder,
  market: MarketView | undefined,
): { readonly price: number; readonly market: number; readonly awayPct: number } | null {
  const quote = market?.quote ?? null;
  if (quote === null) return null;
  const entrySide = order.orderType === "LONG" ? quote.ask : quote.bid;
  // A stop-limit compares the mid price until its stop is reached.
  const isStop = order.stopPrice !== null;
  const price = order.stopPrice ?? order.limitPrice;
  if (price === null) return null;
  const at = isStop ? (quote.bid + quote.ask) / 2 : entrySide;
  return { price, market: at, awayPct: ((price - at) * 100) / at };
}

/** Rounds to twelve digits, finer than every tick: 0.3 for 0.30000000000000004. */
function withoutNoise(value: number): number {
  return Number(value.toPrecision(12));
}
