import {
  actionId,
  type BracketLeg,
  orderUuid,
  pairId,
  positionUuid,
  price,
  quantity,
  ratio,
  unixMs,
} from "@propgate/core";
import { expect, test } from "vitest";
import { madeCatalogue, madeInstrument } from "../../../../server/src/testing/made-instrument.ts";
import { madeNumberedQuote } from "../../../../server/src/testing/made-numbered-quote.ts";
import { findBestsOnTape } from "./bests-on-tape.ts";

const PAIR = pairId("BTCUSD");
const instruments = madeCatalogue(madeInstrument("BTCUSD"));
const START = 1_700_049_600_000;

function made(direction: "long" | "short", bestAtMs: number | null): BracketLeg {
  return {
    kind: "bracket",
    uuid: orderUuid("leg"),
    pair: PAIR,
    direction,
    placedAtMs: unixMs(START),
    positionUuid: positionUuid("position"),
    stopLoss: null,
    takeProfit: null,
    trailing: { kind: "percent", ratio: ratio(0.02) },
    size: null,
    bestPrice: price(100),
    shareOf: quantity(100_000),
    ...(bestAtMs === null ? {} : { bestAtMs: unixMs(bestAtMs) }),
  };
}

test("each leg has the best exit price since its recorded one, from quotes that were fresh [D5.trailing]", async () => {
  const rows = [
    { after: 1_000, bid: 120, ask: 121, age: 0 },
    { after: 2_000, bid: 90, ask: 91, age: 0 },
    { after: 3_000, bid: 110, ask: 111, age: 0 },
    { after: 4_000, bid: 500, ask: 501, age: 3_600_000 },
    { after: 5_000, bid: 105, ask: 95, age: 0 },
  ];
  const quotes = rows.map(({ after, bid, ask, age }, index) =>
    madeNumberedQuote({
      number: index + 1,
      pair: PAIR,
      bid,
      ask,
      atMs: START + after - age,
      receivedAtMs: START + after,
    }),
  );
  const tape = {
    async *read(_pair: typeof PAIR, { fromMs }: { readonly fromMs: number }) {
      yield quotes.filter(({ receivedAtMs }) => receivedAtMs >= fromMs);
    },
  };
  const early = made("long", null);
  const late = made("long", START + 1_500);
  const short = made("short", START + 2_500);
  const after = made("short", START + 9_000);
  const legs = [early, late, short, after];
  const given = { legs, instruments, now: unixMs(START + 10_000) };
  const best = await findBestsOnTape(tape, { ...given, actionsOf: () => [] });
  expect(legs.map((leg) => best(leg)?.atMs ?? null)).toEqual([
    START + 1_000,
    START + 3_000,
    START + 5_000,
    null,
  ]);
});

test.each([
  // A split halves the price or makes it ten times as high, so without one scale the best bids would all be from one
  // side of the split, and the best asks from the other.
  ["a split", { newShares: 2, oldShares: 1 }, [208, 212, 104, 107, 105], [3, 2]],
  ["a reverse split", { newShares: 1, oldShares: 10 }, [20, 21, 205, 199, 207], [1, 3]],
])(
  "prices from before and after %s are compared in one scale [D13.oneScale]",
  async (_, ratio, mids, at) => {
    const moment = unixMs(START + 2_500);
    const split = { id: actionId("s"), pair: PAIR, atMs: moment, announcedAtMs: moment, ...ratio };
    const quotes = mids.map((mid, index) => {
      const times = {
        atMs: START + (index + 1) * 1_000,
        receivedAtMs: START + (index + 1) * 1_000,
      };
      return madeNumberedQuote({ number: index + 1, pair: PAIR, bid: mid, ask: mid, ...times });
    });
    const tape = {
      async *read() {
        yield quotes;
      },
    };
    const legs = [made("long", null), made("short", null)];
    const best = await findBestsOnTape(tape, {
      legs,
      instruments,
      now: unixMs(START + 10_000),
      actionsOf: () => [{ ...split, kind: "split" }],
    });
    expect(legs.map((leg) => best(leg)?.bid)).toEqual(at.map((place) => mids[place]));
  },
);
