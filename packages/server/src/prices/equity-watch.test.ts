import {
  type AccountState,
  accountId,
  firstBreach,
  type MicroUsd,
  microUsd,
  type PairId,
  type Position,
  pairId,
  positionUuid,
  price,
  type Quote,
  quantity,
  unixMs,
} from "@propgate/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TEST_OWNER, TEST_TERMS } from "../testing/counting-decider.ts";
import { madeCatalogue, madeInstrument } from "../testing/made-instrument.ts";
import { madeQuote } from "../testing/made-quote.ts";
import { createEquityWatch } from "./equity-watch.ts";

const ID = accountId("account");
const INSTRUMENTS = madeCatalogue(
  madeInstrument("BTCUSD"),
  madeInstrument("ETHUSD"),
  ...["EURGBP", "GBPUSD", "USDJPY", "EURJPY"].map((id) =>
    madeInstrument(id, { assetClass: "forex", lotSize: 100_000 }),
  ),
);
const START: Readonly<Record<string, number>> = {
  BTCUSD: 40_000,
  ETHUSD: 2_000,
  EURGBP: 0.8,
  GBPUSD: 1.25,
  USDJPY: 150,
  EURJPY: 165,
};
const PAIRS = Object.keys(START);

interface Holding {
  readonly pair: string;
  readonly isLong: boolean;
  /** Of the account, as a share of its size. */
  readonly weight: number;
}

function position({ pair, isLong, weight }: Holding): Position {
  const at = START[pair] ?? 1;
  const usdAUnit = { EURGBP: 1, USDJPY: 1, EURJPY: 1.1 }[pair] ?? at;
  const lotSize = pair === "BTCUSD" || pair === "ETHUSD" ? 1 : 100_000;
  const lots = (weight * 100_000) / (usdAUnit * lotSize);
  return {
    uuid: positionUuid(pair),
    pair: pairId(pair),
    direction: isLong ? "long" : "short",
    quantity: quantity(Math.max(1, Math.round(lots * 100_000))),
    averageEntryPrice: price(at),
    entryValue: microUsd(0),
    cumulativeEntryValue: microUsd(0),
    openedQuantity: quantity(1),
    realizedPnl: microUsd(0),
    fees: microUsd(0),
    exitPriceQuantity: 0,
    exitQuantity: quantity(0),
    openedAtMs: unixMs(0),
  };
}

function state(holdings: readonly Holding[]): AccountState {
  const none: MicroUsd = microUsd(0);
  return {
    accountId: ID,
    ownerId: TEST_OWNER,
    status: "active",
    phase: "challenge",
    terms: TEST_TERMS,
    openedAtMs: unixMs(0),
    realized: none,
    fees: none,
    positions: holdings.map(position),
    orders: [],
    day: { startMs: unixMs(0), startEquity: TEST_TERMS.size },
    endOfDay: { equity: TEST_TERMS.size, highWater: TEST_TERMS.size },
    dailyReturns: [],
    record: { trades: 0, wins: 0, netPnl: none, heldMs: 0 },
    lastOrderAtMs: {},
    elimination: null,
  };
}

interface Move {
  readonly pair: string;
  readonly ratio: number;
  readonly spread: number;
}

/** A watched account; each move tells what the watch has noticed and what a plain look finds. */
function watchedDay(account: AccountState) {
  const quotes = new Map<PairId, Quote>();
  for (const [pair, at] of Object.entries(START)) {
    quotes.set(pairId(pair), madeQuote(pair, at, at, 0));
  }
  const watch = createEquityWatch(INSTRUMENTS);
  let isSeen = watch.replace(account, quotes);
  return ({ pair, ratio, spread }: Move) => {
    const bid = (quotes.get(pairId(pair))?.bid ?? 1) * ratio;
    const quote = madeQuote(pair, bid, bid * (1 + spread), 0);
    quotes.set(quote.pair, quote);
    const inDoubt = new Set<typeof ID>();
    watch.collect(quote, inDoubt);
    if (inDoubt.has(ID)) isSeen = watch.replace(account, quotes);
    const breach = firstBreach(account, { quotes, instruments: INSTRUMENTS });
    return { isSeen, isBreached: breach.ok && breach.value !== null };
  };
}

describe("equity watch", () => {
  test("no breach goes unseen, whatever is held and however prices move [D7.breach]", () => {
    const holding = fc.record({
      pair: fc.constantFrom(...PAIRS),
      isLong: fc.boolean(),
      weight: fc.double({ min: 0.05, max: 6, noNaN: true }),
    });
    const move = fc.record({
      pair: fc.constantFrom(...PAIRS),
      ratio: fc.double({ min: 0.99, max: 1.01, noNaN: true }),
      spread: fc.double({ min: 0, max: 0.002, noNaN: true }),
    });
    const holdings = fc.uniqueArray(holding, {
      minLength: 1,
      maxLength: 4,
      selector: ({ pair }) => pair,
    });
    let breaches = 0;
    fc.assert(
      fc.property(holdings, fc.array(move, { minLength: 30, maxLength: 80 }), (held, moves) => {
        const day = watchedDay(state(held));
        for (const step of moves) {
          const { isSeen, isBreached } = day(step);
          expect(isSeen).toBe(isBreached);
          if (!isBreached) continue;
          breaches += 1;
          return;
        }
      }),
      { numRuns: 400, seed: 20_220_101 },
    );
    expect(breaches).toBeGreaterThan(50);
  });

  test("an account whose pair has no price yet is looked at when the first one comes", () => {
    const watch = createEquityWatch(INSTRUMENTS);
    const account = state([{ pair: "BTCUSD", isLong: true, weight: 1.5 }]);
    expect(watch.replace(account, new Map())).toBe(false);
    const inDoubt = new Set<typeof ID>();
    watch.collect(madeQuote("BTCUSD", 41_000, 41_001, 0), inDoubt);
    expect([...inDoubt]).toEqual([ID]);
  });
});
