import {
  actOf,
  canonicalId,
  matchesPairName,
  type OrderFields,
  type PendingOrder,
} from "@propgate/contract";
import type { AccountFigures, OrderFigures } from "./order-figures.ts";

/** A figure in USD, or why it is unknown. */
export type FigureOrReason = number | { readonly unknown: string };

/** Rounds USD to six decimals, so that 1.1 times 100,000 is not slightly above 110,000. */
export function toMicros(usd: number): number {
  return Math.round(usd * 1_000_000) / 1_000_000;
}

/** True for an order that can only reduce risk: it cancels, closes, or is `reduce_only`. No cap applies to it. */
export function onlyReducesRisk(order: OrderFields): boolean {
  if (order.executionType === "LIMIT_EDIT") return onlyReducesRisk(order.replacement);
  const act = actOf(order);
  return act === "cancel" || act === "close" || ("reduceOnly" in order && order.reduceOnly);
}

/** A size in USD counts as a reduction only up to this share of the position, because prices move until the fill. */
const REDUCTION_SHARE_MAX = 0.98;

/**
 * True when a MARKET order is opposite to an open position and not larger. If the position closes before the order
 * arrives, the order opens no more than was closed, so the sum of exposures does not grow.
 */
export async function reducesPosition(order: OrderFields, figures: OrderFigures): Promise<boolean> {
  if (order.executionType !== "MARKET" || order.orderType === "FLAT") return false;
  const { size, orderType, pair } = order;
  const position = (await figures.positions()).find((one) => matchesPairName(pair, one));
  if (position === undefined || position.positionType === orderType) return false;
  const { netQuantity, netValue } = position;
  if (size.field === "quantity") {
    return netQuantity !== null && size.amount <= Math.abs(netQuantity);
  }
  const unitUsd = size.field === "value" ? 1 : ((await figures.account())?.balanceUsd ?? null);
  if (unitUsd === null || netValue === null) return false;
  return size.amount * unitUsd <= REDUCTION_SHARE_MAX * Math.abs(netValue);
}

/**
 * The sum of absolute exposures: every position at its mark, every pending entry that may open or add as if it were
 * filled, and the order itself. When the order is an edit, the edited entry counts with its new values only.
 */
export async function exposureWith(
  order: { readonly worthUsd: number; readonly editedId: string | null },
  figures: OrderFigures,
): Promise<FigureOrReason> {
  // Pending orders are read before positions, so that an entry that fills in between is counted twice instead of not at
  // all.
  const pending = await figures.pendingOrders();
  const positions = await figures.positions();
  // A validator may write an id in capitals. @rule D12.idCase
  const editedId = order.editedId === null ? null : canonicalId(order.editedId);
  let sum = order.worthUsd;
  for (const { tradePair, netValue } of positions) {
    if (netValue === null) return { unknown: `the position in ${tradePair} has no price` };
    sum += Math.abs(netValue);
  }
  for (const entry of pending) {
    if (!mayOpen(entry) || canonicalId(entry.orderUuid) === editedId) continue;
    const worth = await pendingWorth(entry, figures);
    if (worth === null) return { unknown: `the value of ${entry.orderUuid} is unknown` };
    sum += worth;
  }
  return toMicros(sum);
}

/**
 * True for an entry that may open or add. The specification has neither `positionUuid` nor `reduceOnly`. Without these
 * fields every pending order but a BRACKET counts.
 */
function mayOpen({ executionType, positionUuid, reduceOnly }: PendingOrder): boolean {
  return executionType !== "BRACKET" && positionUuid == null && reduceOnly !== true;
}

/**
 * The value of a pending entry in USD. For a quantity it is the greater of the values at the market and at the entry's
 * own prices. Null when unknown.
 */
async function pendingWorth(entry: PendingOrder, figures: OrderFigures): Promise<number | null> {
  const { value, leverage, quantity, limitPrice, stopPrice, tradePair } = entry;
  if (value !== null) return value;
  if (leverage !== null) {
    const account = await figures.account();
    return account === null ? null : leverage * account.balanceUsd;
  }
  if (quantity === null) return null;
  const market = await figures.marketLot(tradePair, quantity);
  if (market === null) return null;
  const [limit, stop] = [limitPrice ?? 0, stopPrice ?? 0];
  return quantity * market.lotUsd * Math.max(1, limit / market.price, stop / market.price);
}

/**
 * The loss in USD: the higher of the equity at this server's start and the equity at the UTC day's start, minus the
 * present equity. After a restart, the server reads its start equity again.
 */
export function lossSince(startUsd: number, { equityUsd, dayStartUsd }: AccountFigures): number {
  return toMicros(Math.max(startUsd, dayStartUsd ?? startUsd) - equityUsd);
}
