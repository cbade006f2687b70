import { assert } from "../assert.ts";
import { markOf } from "../market/mark.ts";
import type { EditLeg, EditOrder, PlaceLimit, PlaceStopLimit } from "../network/command.ts";
import type { Draft } from "../network/draft.ts";
import type { Refusal } from "../network/refusal.ts";
import { shareOf } from "../positions/bracket-leg.ts";
import { legRefusal } from "../positions/leg-side.ts";
import { ok, type Result, refuse } from "../result.ts";
import { openPositionOf } from "./guards.ts";
import { entryRefusal } from "./limit.ts";
import type { BracketLeg, EntryOrder, RestingOrder } from "./order.ts";

/** The whole order again under its own id, in its old place of the queue. @rule S3.orders D5.edit */
export function editOrder(draft: Draft, { replacement }: EditOrder): Result<null, Refusal> {
  const order = draft.state.orders.find(({ uuid }) => uuid === replacement.orderUuid);
  if (order === undefined) {
    return refuse({ code: "unknownOrder", orderUuid: replacement.orderUuid });
  }
  if (order.pair !== replacement.pair) {
    return refuse({ code: "pairMismatch", orderUuid: order.uuid, pair: order.pair });
  }
  const edited = edit(draft, order, replacement);
  if (!edited.ok) return edited;
  draft.record({ type: "orderEdited", order: edited.value });
  return ok(null);
}

function edit(
  draft: Draft,
  order: RestingOrder,
  replacement: EditOrder["replacement"],
): Result<RestingOrder, Refusal> {
  if (order.kind === "bracket" && replacement.type === "editLeg") {
    return editLeg(draft, order, replacement);
  }
  if (order.kind === "limit" && replacement.type === "placeLimit") {
    return editEntry(draft, { ...asked(replacement), ...kept(order), kind: "limit" });
  }
  if (order.kind === "stopLimit" && replacement.type === "placeStopLimit") {
    return editEntry(draft, { ...asked(replacement), ...kept(order), kind: "stopLimit" });
  }
  return refuse({ code: "kindMismatch", orderUuid: order.uuid, isKind: order.kind });
}

function editEntry(draft: Draft, order: EntryOrder): Result<EntryOrder, Refusal> {
  const refusal = entryRefusal(draft, order);
  return refusal === null ? ok(order) : refuse(refusal);
}

function asked<Replacement extends PlaceLimit | PlaceStopLimit>(
  replacement: Replacement,
): Omit<Replacement, "type" | "orderUuid"> {
  const { type: _type, orderUuid: _uuid, ...rest } = replacement;
  return rest;
}

function kept(order: RestingOrder): Pick<RestingOrder, "uuid" | "pair" | "placedAtMs"> {
  return { uuid: order.uuid, pair: order.pair, placedAtMs: order.placedAtMs };
}

/** A trailing stop that changes starts again from the price of now. */
function editLeg(draft: Draft, order: BracketLeg, { leg }: EditLeg): Result<BracketLeg, Refusal> {
  const quote = draft.moment.quotes.get(order.pair);
  if (quote === undefined) return refuse({ code: "noFreshQuote", pair: order.pair });
  const position = openPositionOf(draft.state, order.pair);
  assert(position !== null, `a position for the leg ${order.uuid}`);
  const mark = markOf(order.direction, quote);
  const against = { direction: order.direction, entryPrice: mark, index: null };
  const refusal = legRefusal(leg, against);
  if (refusal !== null) return refuse(refusal);
  const { stopLoss, takeProfit, trailing, size } = leg;
  return ok({
    ...order,
    stopLoss,
    takeProfit,
    trailing,
    size,
    bestPrice: trailing === null ? null : mark,
    shareOf: shareOf(leg, position),
  });
}
