/** Entries and legs as a command asks for them, or asks for them again. @rule D10.editKeeps */

import { pairId } from "../../ids.ts";
import type { PlaceLimit, PlaceStopLimit } from "../../state/command.ts";
import type { Moment } from "../../state/moment.ts";
import type { LegRequest } from "../../state/order.ts";
import type { HeldPosition, WaitingEntry, WaitingLeg } from "./reference-book.ts";
import { markOf } from "./reference-prices.ts";

interface Ground {
  readonly held: HeldPosition;
  readonly moment: Moment;
}

/** The whole order; an edit keeps nothing of the one before. */
export function editedEntry(order: PlaceLimit | PlaceStopLimit): WaitingEntry {
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

export function newLeg(uuid: string, asked: LegRequest, ground: Ground): WaitingLeg {
  const { held } = ground;
  return {
    what: "leg",
    uuid,
    positionUuid: held.uuid,
    pair: held.pair,
    direction: held.direction,
    asked,
    best: asked.trailing === null ? null : markNow(ground),
    whole: { lots: held.open, slack: 0 },
  };
}

/** A distance that is sent again unchanged goes on as it was, another one begins now; the whole stays the whole. */
export function editedLeg(old: WaitingLeg, asked: LegRequest, ground: Ground): WaitingLeg {
  const anew = newLeg(old.uuid, asked, ground);
  const best = sameValue(old.asked.trailing, asked.trailing) ? old.best : anew.best;
  return { ...anew, best, whole: old.whole };
}

function markNow({ held, moment }: Ground): number | null {
  const quote = moment.quotes.get(pairId(held.pair));
  return quote === undefined ? null : markOf(held.direction, quote);
}

export function sameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
