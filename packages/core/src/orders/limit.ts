import { usdRateAt } from "../market/valuation.ts";
import type { PlaceLimit } from "../network/command.ts";
import type { Draft } from "../network/draft.ts";
import type { Refusal } from "../network/refusal.ts";
import { legsRefusal } from "../positions/leg-side.ts";
import { ok, type Result, refuse } from "../result.ts";
import { type Price, price } from "../units.ts";
import { fillEntry } from "./fill.ts";
import {
  cooldownRefusal,
  type Market,
  permittedPair,
  restingRefusal,
  transitionRefusal,
} from "./guards.ts";
import type { Direction, EntryOrder, LimitOrder } from "./order.ts";
import { sizeOnGrid } from "./sizing.ts";
import { entrySide, sideOf, type Trigger } from "./triggers.ts";

/** Always rests, even when already marketable: the next prices fill it. @rule S3.orders D5.limit */
export function placeLimit(draft: Draft, command: PlaceLimit): Result<null, Refusal> {
  const { type: _type, orderUuid: uuid, ...rest } = command;
  return restEntry(draft, { ...rest, kind: "limit", uuid, placedAtMs: draft.moment.now });
}

/** The ladder of every entry that rests. */
export function restEntry(draft: Draft, order: EntryOrder): Result<null, Refusal> {
  const permitted = permittedPair(draft, order.pair);
  if (!permitted.ok) return permitted;
  const refusal =
    cooldownRefusal(draft, order.pair) ?? restingRefusal(draft, 1) ?? entryRefusal(draft, order);
  if (refusal !== null) return refuse(refusal);
  draft.record({ type: "orderPlaced", order });
  return ok(null);
}

/** What is wrong with the order itself, whatever the market does: its size, its legs. */
export function entryRefusal(draft: Draft, order: EntryOrder): Refusal | null {
  const permitted = permittedPair(draft, order.pair);
  if (!permitted.ok) return permitted.refusal;
  const windingDown = transitionRefusal(draft.state, order);
  if (windingDown !== null) return windingDown;
  const instrument = permitted.value;
  const rate = usdRateAt(instrument, order.limitPrice, draft.moment);
  if (rate === null) return { code: "noConversionRate", currency: instrument.quote };
  const { size, limitPrice, legs, direction } = order;
  const sized = sizeOnGrid(draft, { size, instrument, price: limitPrice, usdRate: rate });
  if (!sized.ok) return sized.refusal;
  return legsRefusal(legs, direction, limitPrice);
}

/** LONG when ask ≤ limit, SHORT when bid ≥ limit. @rule D5.limit */
export function limitTriggers(order: LimitOrder): readonly Trigger[] {
  const when = order.direction === "long" ? "atOrBelow" : "atOrAbove";
  return [{ side: entrySide(order.direction), when, price: order.limitPrice, reaction: "fill" }];
}

/** What cannot be filled when its price has come is cancelled, with the reason. @rule D5.limit */
export function fillLimit(draft: Draft, order: LimitOrder, market: Market): void {
  const { uuid: orderUuid, direction, size, legs } = order;
  const better = betterPrice(order, market);
  const fill = { orderUuid, direction, size, legs, market, kind: "limit", price: better } as const;
  const filled = fillEntry(draft, fill);
  if (filled.ok) return;
  const detail = filled.refusal.code;
  draft.record({ type: "orderCancelled", orderUuid, reason: "refusedAtFill", detail });
}

/** The better of limit and quote, for the trader. */
function betterPrice({ direction, limitPrice }: LimitOrder, { quote }: Market): Price {
  const quoted = sideOf(quote, entrySide(direction));
  return price(BETTER[direction](limitPrice, quoted));
}

const BETTER: Readonly<Record<Direction, (one: number, other: number) => number>> = {
  long: Math.min,
  short: Math.max,
};
