import type { MarketView, PendingOrder, PositionItem } from "@propgate/contract";

/** What closing a position would come to now: the bid for a LONG, the ask for a SHORT. */
export function markOf(
  positionType: PositionItem["positionType"],
  market: MarketView | undefined,
): number | null {
  const quote = market?.quote ?? null;
  if (quote === null) return null;
  return positionType === "LONG" ? quote.bid : quote.ask;
}

export interface LevelOutlook {
  readonly price: number;
  /** From the mark to the price, signed as the price moves; null: no mark. */
  readonly away: number | null;
  readonly awayPct: number | null;
  /** What the part that is closed there would have won or lost since its entry, before fees, USD. */
  readonly pnl: number | null;
}

interface Level {
  readonly position: PositionItem;
  readonly price: number;
  readonly mark: number | null;
  /** Of the position, 0 to 1. */
  readonly share: number | null;
}

/** How far a stop or target is, and what it would come to at the rates of now. */
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
 * A unit of a pair that buys dollars earns 1 − entry / price, for it converts at that very price;
 * every other pair earns price − entry at the rate that its value at the mark contains.
 */
function pnlAt(at: {
  readonly position: PositionItem;
  readonly price: number;
  readonly mark: number;
  readonly share: number;
}): number | null {
  const { position, price, mark, share } = at;
  if (position.netValue === null) return null;
  const entry = position.averageEntryPrice;
  const buysDollars = position.tradePairDisplay.startsWith("USD/");
  const perDollar = buysDollars ? 1 - entry / price : (price - entry) / mark;
  return position.netValue * perDollar * share;
}

/** The share of its position that a leg closes; null: not known, or not of this position. */
export function shareOf(leg: PendingOrder, position: PositionItem): number | null {
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
 * Where a leg's stop stands. That of a trailing leg is told only with its position, as the nearest
 * of all its legs: with several stops its own is not known, and null.
 */
export function stopPriceOf(
  leg: PendingOrder,
  position: PositionItem,
  legs: readonly PendingOrder[],
): number | null {
  if (leg.trailingPercent === null && leg.trailingValue === null) return leg.stopLoss;
  return legs.filter(hasStop).length === 1 ? position.stopLoss : null;
}

/** How a stop follows the price, `2%` or `150`; null: it stands still. */
export function trailingOf(leg: PendingOrder): { percent: number } | { price: number } | null {
  if (leg.trailingPercent !== null) return { percent: leg.trailingPercent * 100 };
  return leg.trailingValue === null ? null : { price: leg.trailingValue };
}

/** The price that sets an entry going, and what the market stands at on the side that counts. */
export function entryOutlook(
  order: PendingOrder,
  market: MarketView | undefined,
): { readonly price: number; readonly market: number; readonly awayPct: number } | null {
  const quote = market?.quote ?? null;
  if (quote === null) return null;
  const entrySide = order.orderType === "LONG" ? quote.ask : quote.bid;
  // A stop watches the middle of the market until it is passed.
  const isStop = order.stopPrice !== null;
  const price = order.stopPrice ?? order.limitPrice;
  if (price === null) return null;
  const at = isStop ? (quote.bid + quote.ask) / 2 : entrySide;
  return { price, market: at, awayPct: ((price - at) * 100) / at };
}

/** Twelve digits are beyond every tick: 0.3 for 0.30000000000000004. */
function withoutNoise(value: number): number {
  return Number(value.toPrecision(12));
}
