import {
  type AccountState,
  accountId,
  type Command,
  decide,
  evolve,
  type Moment,
  orderUuid,
  pairId,
  percent,
  unixMs,
} from "@propgate/core";
import { createEquityWatch } from "../packages/market/src/prices/watch/equity-watch.ts";
import {
  HELD_MARKET,
  madeHolder,
  startingQuotes,
} from "../packages/server/src/testing/made-holdings.ts";
import { median, type Row } from "./result-tables.ts";

const ORDERS = 20_000;
const ROUNDS = 7;

const BUY: Command = {
  type: "placeMarket",
  orderUuid: orderUuid("4f8f7d0e-2f6d-4f0e-8c39-0d6f5a6f1f10"),
  pair: pairId("BTCUSD"),
  direction: "long",
  size: { kind: "quantity", lots: 0.01 },
  legs: [],
  reduceOnly: false,
};

/**
 * The row of the equity watch: the cost of watching an account that has just traded, against the decision of its order.
 */
export function measureWatchCost(): Row {
  const moment: Moment = { now: unixMs(0), quotes: startingQuotes(), instruments: HELD_MARKET };
  const before = createHolder();
  const bought = decide(before, BUY, moment);
  if (!bought.ok) throw new Error(`the order of this load was refused: ${bought.refusal.code}`);
  const states = [bought.value.reduce(evolve, before), before];
  const watch = createEquityWatch(HELD_MARKET);
  const watching: number[] = [];
  const deciding: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const one = nanosecondsOf((number) =>
      watch.update(states[number % 2] ?? before, moment.quotes),
    );
    const other = nanosecondsOf(() => decide(before, BUY, moment));
    // The first round warms up the code of both measurements, so its figures are not used.
    if (round === 0) continue;
    watching.push(one);
    deciding.push(other);
  }
  return {
    what: "watching the equity of an account after its MARKET order",
    one: `${Math.round(median(watching))} ns`,
    other: `deciding the order: ${Math.round(median(deciding))} ns`,
    ratio: median(watching) / median(deciding),
    bar: "≤ 0.33",
  };
}

/** The state of an account with one position and the usual levels of a program. */
function createHolder(): AccountState {
  const holdings = [{ pair: "BTCUSD", isLong: true, weight: 0.3 }];
  const made = madeHolder({ accountId: accountId("account"), kind: "static", holdings });
  return { ...made, terms: { ...made.terms, nearLevels: [50, 75, 90].map(percent) } };
}

/** The mean nanoseconds of one call of `pass`. */
function nanosecondsOf(pass: (number: number) => void): number {
  const startedAt = process.hrtime.bigint();
  for (let number = 1; number <= ORDERS; number += 1) pass(number);
  return Number(process.hrtime.bigint() - startedAt) / ORDERS;
}
