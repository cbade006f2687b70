import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertySettings } from "../../../../test/environment/depth.ts";
import type { Refusal } from "../state/refusal.ts";
import { LifeTally } from "../testing/lives/life-tally.ts";
import { findTooRareCases } from "../testing/lives/too-rare.ts";
import { arbitraryPlayStep } from "../testing/reference/order-plays.ts";
import { OrderPlay, playTerms } from "../testing/reference/play-orders.ts";
import { roundUsd } from "../units.ts";

const RUNS = 3_000;
const STEPS_MAX = 60;

const terms = fc.record({
  size: fc.constantFrom(100_000, 10_000, 1_000_000).map(roundUsd),
  mostRestingOrders: fc.constantFrom(100, 12, 25),
});

/** The minimum count of each event at depth 1. With fewer, the random plays no longer test the event sufficiently. */
const MIN_EVENTS: Readonly<Record<string, number>> = {
  "orderFilled stopLoss": 400,
  "orderFilled takeProfit": 400,
  "orderFilled limit": 1_000,
  "orderFilled reduce": 1_000,
  "orderFilled close": 2_000,
  "orderFilled took the rest along": 15,
  "orderFilled reduced only": 500,
  "orderFilled dropped its legs": 30,
  "orderFilled flatten": 100,
  "orderCancelled positionClosed": 1_000,
  "orderCancelled roundedAway": 4,
  orderHeld: 60,
  orderRejected: 100,
  orderEdited: 2_000,
  trailMoved: 1_000,
  stopTriggered: 100,
};
const MIN_REFUSALS: Readonly<Partial<Record<Refusal["code"], number>>> = {
  tooManyRestingOrders: 250,
  legsOnReducing: 500,
  nothingToReduce: 500,
  wouldTrigger: 30,
  trailingDistance: 100,
  wrongSide: 100,
  nothingClosed: 20,
  unknownOrder: 100,
  unknownPosition: 20,
  sizeBelowGrid: 500,
};

describe("random orders, edits and quotes", () => {
  test("no exit opens a position, no order closes more than requested, and no stop is lost [D10.oneQuote] [D10.reduceOnly] [D12.marketReduces] [D10.legNeverMore] [D10.leastGoesAlong] [D10.editKeeps] [D10.hundred] [D10.legsOfReducing] [D10.firesAtOnce] [D10.flattenAll] [D10.lists] [D10.rejected] [D12.ladder] [D13.trailingDistance]", () => {
    const tally = new LifeTally();
    const property = fc.property(
      terms,
      fc.array(arbitraryPlayStep, { minLength: 5, maxLength: STEPS_MAX, size: "max" }),
      (given, run) => {
        const play = new OrderPlay(playTerms(given), tally);
        for (const step of run) play.take(step);
      },
    );
    fc.assert(property, propertySettings(RUNS));
    expect(findTooRareCases(MIN_EVENTS, tally.happened)).toEqual([]);
    expect(findTooRareCases(MIN_REFUSALS, tally.refused)).toEqual([]);
  });
});
