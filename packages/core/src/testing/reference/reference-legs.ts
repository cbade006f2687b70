/** Makes the entries and legs that a command places or edits. @rule D10.editKeeps */

import { pairId } from "../../ids.ts";
import type { PlaceEntry } from "../../state/command.ts";
import type { Moment } from "../../state/moment.ts";
import type { LegRequest } from "../../state/order.ts";
import type { HeldPosition, PendingEntry, PendingLeg } from "./reference-book.ts";
import { markOf } from "./reference-prices.ts";

interface HeldAt {
  readonly held: HeldPosition;
  readonly moment: Moment;
}

/** The entry that a command places. For an edit it is the entry that replaces the old one. */
export function entryOfCommand(order: PlaceEntry): PendingEntry {
  return {
    what: "entry",
    uuid: order.orderUuid,
    pair: order.pair,
    direction: order.direction,
    size: order.size,
    limitPrice: order.limitPrice,
    stop:
      order.type === "placeLimit"
        ? null
        : { price: order.stopPrice, condition: order.stopCondition },
    legs: order.legs,
    isReduceOnly: order.reduceOnly,
  };
}

/** The leg that a request attaches to the position. Its trailing stop starts at the present mark. */
export function createReferenceLeg(uuid: string, request: LegRequest, at: HeldAt): PendingLeg {
  const { held } = at;
  return {
    what: "leg",
    uuid,
    positionUuid: held.uuid,
    pair: held.pair,
    direction: held.direction,
    request,
    best: request.trailing === null ? null : markNow(at),
    whole: { lots: held.open, slack: 0 },
  };
}

/**
 * The leg after an edit. With an unchanged trailing distance it keeps its best price; with a changed one, its best
 * price is the present mark. `whole` stays the same.
 */
export function applyLegEdit(old: PendingLeg, request: LegRequest, at: HeldAt): PendingLeg {
  const replaced = createReferenceLeg(old.uuid, request, at);
  const best = haveSameJson(old.request.trailing, request.trailing) ? old.best : replaced.best;
  return { ...replaced, best, whole: old.whole };
}

function markNow({ held, moment }: HeldAt): number | null {
  const quote = moment.quotes.get(pairId(held.pair));
  return quote === undefined ? null : markOf(held.direction, quote);
}

/** Whether two values have the same JSON text. */
export function haveSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
