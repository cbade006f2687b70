import { dollars } from "@propgate/core";
import type { LinkedPosition } from "../dashboard/linked-readings.ts";
import type { LinkedPairs } from "../dashboard/pairs.ts";
import type { MaybeUnknown } from "./exact-usd.ts";
import { netQuantity, withoutNoise } from "./fills.ts";
import { lotOf } from "./instruments.ts";

/**
 * The price at which the network values an open position, computed from its open PnL: the middle of the market at the
 * network's last valuation. Null for a pair that is not quoted in USD, when a figure was not sent, and when the figures
 * give no price above zero.
 */
export function markPrice(
  position: LinkedPosition,
  pairs: LinkedPairs | null,
): MaybeUnknown<number> {
  const { averageEntryPrice, unrealizedPnl, pairDisplay } = position;
  const lot = lotOf(pairs?.find(pairDisplay) ?? null);
  const quantity = netQuantity(position);
  if (lot === null || !lot.isQuotedInUsd || quantity === null || quantity === 0) return null;
  if (averageEntryPrice === null || unrealizedPnl === null) return null;
  const mark = withoutNoise(averageEntryPrice + dollars(unrealizedPnl) / (quantity * lot.size));
  return mark > 0 && Number.isFinite(mark) ? mark : null;
}
