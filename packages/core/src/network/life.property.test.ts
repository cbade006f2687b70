import { describe, expect, test } from "vitest";
import { SEED, scaledCount } from "../../../../test/environment/depth.ts";
import type { Event } from "../state/event.ts";
import type { Refusal } from "../state/refusal.ts";
import { runLives } from "../testing/lives/run-lives.ts";
import { findTooRareCases } from "../testing/lives/too-rare.ts";

/** The number of lives at depth 1. A long run is `npm run prove -- lives --lives 20000 --seed 7`. */
const LIVES = 1_000;

/** The minimum count of each event at depth 1. With fewer, the random lives no longer test the event sufficiently. */
const MIN_EVENTS: Readonly<Record<Event["type"], number>> = {
  accountOpened: LIVES,
  accountProvisioned: 20,
  accountClosed: 50,
  orderPlaced: 2_000,
  orderEdited: 300,
  orderCancelled: 3_000,
  orderRejected: 60,
  orderHeld: 10,
  stopTriggered: 300,
  trailMoved: 3_000,
  orderFilled: 3_000,
  legsAttached: 1_500,
  positionClosed: 1_500,
  dayEnded: 15_000,
  carryCharged: 20_000,
  sharesSplit: 0,
  dividendPaid: 0,
  challengePassed: 150,
  proOffered: 80,
  proStarted: 150,
  proPromoted: 100,
  drawdownDeepened: 5_000,
  softBreached: 1_500,
  limitNeared: 120,
  cycleClosed: 1_000,
  deferralForfeited: 8,
  payoutRecorded: 100,
  switchArmed: 300,
  switchSuspended: 0,
  switchEnded: 8,
  switchFired: 200,
  accountEliminated: 200,
};

/** The minimum count, at depth 1, of each kind of an event, such as `orderFilled market`. */
const MIN_KINDS: Readonly<Record<string, number>> = {
  "orderFilled market": 1_500,
  "orderFilled limit": 300,
  "orderFilled stopLoss": 200,
  "orderFilled takeProfit": 200,
  "orderFilled closePair": 100,
  "orderFilled flatten": 300,
  "orderFilled elimination": 150,
  "orderFilled phaseEnd": 100,
  "orderFilled switch": 50,
  "orderFilled open": 1_500,
  "orderFilled add": 120,
  "orderFilled reduce": 250,
  "orderFilled close": 1_500,
  "orderFilled dropped its legs": 15,
  "orderCancelled owner": 1_000,
  "orderCancelled positionClosed": 1_000,
  "orderCancelled accountEnded": 300,
  "orderCancelled phaseEnded": 150,
  "orderCancelled proTransition": 50,
  "orderCancelled switch": 100,
  "switchFired while a market was closed": 5,
  "limitNeared dailyLoss": 40,
  "limitNeared staticLoss": 5,
  "limitNeared endOfDayTrailing": 2,
  "challengePassed by target": 30,
  "challengePassed by operator": 80,
  "proStarted proChallengeDirect": 80,
  "proStarted proChallengeFromStandard": 60,
  "proPromoted by objectives": 7,
  "proPromoted by operator": 80,
  "cycleClosed with payout": 100,
  "cycleClosed without payout": 500,
  "cycleClosed held": 40,
  "cycleClosed released": 12,
  "payoutRecorded pending": 25,
  "payoutRecorded processing": 25,
  "payoutRecorded paid": 25,
  "payoutRecorded failed": 20,
  "accountEliminated OPERATOR": 50,
  "accountEliminated for inactivity": 50,
  "accountEliminated by dailyLoss in challenge": 15,
  "accountEliminated by staticLoss in challenge": 2,
  "accountEliminated by endOfDayTrailing in challenge": 1,
  "accountEliminated by dailyLoss in funded": 2,
  "accountEliminated by staticLoss in funded": 1,
  "accountEliminated by endOfDayTrailing in funded": 1,
  "accountEliminated by dailyLoss in proChallenge": 10,
  "accountEliminated by endOfDayTrailing in proChallenge": 1,
  "accountEliminated by dailyLoss in proFunded": 15,
  "accountEliminated by endOfDayTrailing in proFunded": 4,
};

/** The minimum count, at depth 1, of each refusal, by its code. */
const MIN_REFUSALS: Readonly<Record<Refusal["code"], number>> = {
  accountNotReady: LIVES,
  accountEliminated: 200,
  accountClosed: 100,
  unknownPair: 200,
  blockedPair: 200,
  pairOutsideClass: 200,
  marketClosed: 200,
  noFreshQuote: 200,
  noConversionRate: 15,
  cooldown: 50,
  tooManyRestingOrders: 100,
  priceOffTick: 0,
  proTransition: 50,
  noRoom: 50,
  sizeBelowGrid: 100,
  positionTooSmall: 20,
  wrongSide: 200,
  wouldTrigger: 60,
  trailingDistance: 0,
  amountTooLarge: 0,
  legsOnReducing: 300,
  nothingToReduce: 200,
  nothingClosed: 20,
  noPosition: 200,
  unknownOrder: 200,
  unknownPosition: 80,
  pairMismatch: 50,
  kindMismatch: 50,
  directionMismatch: 0,
  accountExists: 30,
  alreadyProvisioned: 80,
  onProTrack: 100,
  proSizeTooSmall: 20,
  phaseChanged: 0,
  cycleWaits: 0,
  noNextPhase: 80,
  payoutSettled: 300,
  paidAmountDiffers: 0,
};

describe("random lives of an account", () => {
  test("network and models agree after every step [D4.balance] [D4.equity] [D5.neverFlips] [D7.breach] [D7.highWater] [D7.midnight] [D8.states]", () => {
    const tally = runLives({ lives: scaledCount(LIVES), seed: SEED });
    expect(tally.steps).toBeGreaterThanOrEqual(scaledCount(90_000));
    expect(findTooRareCases(MIN_EVENTS, tally.happened)).toEqual([]);
    expect(findTooRareCases(MIN_KINDS, tally.happened)).toEqual([]);
    expect(findTooRareCases(MIN_REFUSALS, tally.refused)).toEqual([]);
  });
});
