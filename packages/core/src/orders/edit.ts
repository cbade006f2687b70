import { assert } from "../assert.ts";
import { markOf } from "../market/mark.ts";
import { ok, type Result, refuse } from "../result.ts";
import { type EditLeg, type EditOrder, entryContent, type PlaceEntry } from "../state/command.ts";
import type { Draft } from "../state/draft.ts";
import {
  type BracketLeg,
  type EntryOrder,
  KIND_PLACED,
  type PendingOrder,
  type TrailingDistance,
} from "../state/order.ts";
import type { Refusal } from "../state/refusal.ts";
import type { Price, UnixMs } from "../units.ts";
import { entryRefusal } from "./entry.ts";
import { amountsRefusal, legPrices } from "./exact-amounts.ts";
import {
  directionRefusal,
  openPositionOf,
  pendingCountOf,
  permittedInstrument,
  requireInstrument,
  tooManyPendingRefusal,
} from "./guards.ts";
import { legRefusal } from "./leg-side.ts";
import { openLegSizesRefusal } from "./leg-size.ts";
import { priceStepRefusal, sentPrices } from "./price-steps.ts";
import { isDeepEqual, isSameEntry, isSameLeg, isSameTrailing } from "./same-order.ts";

/**
 * Replaces a pending order, which keeps its id and its place among the pending orders. An edit that repeats the order's
 * values changes nothing, so it is not checked. Refused for an id that is not pending, for another pair than the
 * order's, and for an edited order that is not valid. @rule S3.orders D13.shownIsHeld @rule D5.edit decides
 */
export function editOrder(draft: Draft, { replacement }: EditOrder): Result<null, Refusal> {
  const order = draft.state.orders.find(({ uuid }) => uuid === replacement.orderUuid);
  if (order === undefined) {
    return refuse({ code: "unknownOrder", orderUuid: replacement.orderUuid });
  }
  if (order.pair !== replacement.pair) {
    const { pair } = order;
    return refuse({ code: "pairMismatch", orderUuid: order.uuid, sent: replacement.pair, pair });
  }
  const edited = editPending(draft, order, replacement);
  if (!edited.ok) return edited;
  // An unchanged order keeps its `editedAtMs`. So after a late announcement of a split it still counts as an order in
  // the old scale.
  const isUnchanged = edited.value === order;
  draft.record({
    type: "orderEdited",
    order: isUnchanged ? order : { ...edited.value, editedAtMs: draft.moment.now },
  });
  return ok(null);
}

function editPending(
  draft: Draft,
  order: PendingOrder,
  replacement: EditOrder["replacement"],
): Result<PendingOrder, Refusal> {
  const { uuid, kind: isKind } = order;
  if (replacement.type === "editLeg") {
    if (order.kind === "bracket") return editLeg(draft, order, replacement);
    return refuse({ code: "kindMismatch", orderUuid: uuid, isKind, sentAs: "bracket" });
  }
  const sentAs = KIND_PLACED[replacement.type];
  return order.kind === sentAs
    ? editEntry(draft, order, replacement)
    : refuse({ code: "kindMismatch", orderUuid: uuid, isKind, sentAs });
}

function editEntry(
  draft: Draft,
  before: EntryOrder,
  replacement: PlaceEntry,
): Result<EntryOrder, Refusal> {
  const { uuid, placedAtMs, heldAt, kind } = before;
  const held = heldAt === undefined ? {} : { heldAt };
  const order: EntryOrder = entryContent(replacement, { uuid, placedAtMs, ...held, kind });
  if (isSameEntry(before, order)) return ok(before);
  const early =
    directionRefusal([before], order.direction) ??
    tooManyPendingRefusal(draft, pendingCountOf(order) - pendingCountOf(before));
  if (early !== null) return refuse(early);
  const permitted = permittedInstrument(draft, order);
  if (!permitted.ok) return permitted;
  const refusal = entryRefusal(draft, order, { instrument: permitted.value, before });
  return refusal === null ? ok(order) : refuse(refusal);
}

/**
 * The leg after an edit; the same leg when no field differs. With a changed trailing distance the stop starts again at
 * the present price; with an unchanged one it continues from its best price. A size that is a share stays a share of
 * the same quantity.
 * @rule D10.editKeeps decides
 */
function editLeg(
  draft: Draft,
  order: BracketLeg,
  { leg, repeatedDirection }: EditLeg,
): Result<BracketLeg, Refusal> {
  const turned = directionRefusal([order], repeatedDirection);
  if (turned !== null) return refuse(turned);
  if (isSameLeg(order, leg)) return ok(order);
  const quote = draft.moment.quotes.get(order.pair);
  if (quote === undefined) return refuse({ code: "noFreshQuote", pair: order.pair });
  const position = openPositionOf(draft.state, order.pair);
  assert(position !== null, `a position for the leg ${order.uuid}`);
  const known = requireInstrument(draft.moment, order.pair);
  if (!known.ok) return known;
  const { direction } = order;
  const { shareOf: whole } = order;
  // An unchanged distance or size stays valid, so it is not checked again.
  const changed = {
    ...leg,
    trailing: isSameTrailing(order.trailing, leg.trailing) ? null : leg.trailing,
    size: isDeepEqual(order.size, leg.size) ? null : leg.size,
  };
  const refusal =
    priceStepRefusal(known.value, sentPrices([leg]), sentPrices([order])) ??
    legRefusal(changed, { direction, entryPrice: null, quote, index: null }) ??
    openLegSizesRefusal(draft, [changed], {
      instrument: known.value,
      quote,
      position: { direction, quantity: whole },
    }) ??
    amountsRefusal(draft, known.value, {
      prices: legPrices([leg], { direction, from: markOf(direction, quote) }),
      adds: null,
    });
  if (refusal !== null) return refuse(refusal);
  const { stopLoss, takeProfit, trailing, size } = leg;
  return ok({
    ...order,
    stopLoss,
    takeProfit,
    trailing,
    size,
    ...bestAfterEdit(order, trailing, { price: markOf(direction, quote), atMs: draft.moment.now }),
    shareOf: whole,
  });
}

function bestAfterEdit(
  before: BracketLeg,
  trailing: TrailingDistance | null,
  mark: { readonly price: Price; readonly atMs: UnixMs },
): Partial<Pick<BracketLeg, "bestPrice" | "bestAtMs">> {
  if (trailing === null) return { bestPrice: null };
  return isSameTrailing(before.trailing, trailing)
    ? {}
    : { bestPrice: mark.price, bestAtMs: mark.atMs };
}
