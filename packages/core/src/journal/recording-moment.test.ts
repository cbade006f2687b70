import { expect, test } from "vitest";
import { actionId, type Split } from "../market/corporate-action.ts";
import {
  MADE_AT_MS,
  madeAccount,
  madeLeg,
  madeMarket,
  madePosition,
} from "../testing/made-account.ts";
import { price, ratio, unixMs } from "../units.ts";
import { recordingMoment } from "./recording-moment.ts";

test("a best price of before a split is recorded with the split, which the present quote includes [D13.oneScale]", () => {
  const position = madePosition({ pair: "AAPL", direction: "long", lots: 400, entry: 50 });
  const leg = madeLeg(position, {
    trailing: { kind: "percent", ratio: ratio(0.05) },
    bestPrice: price(52.5),
  });
  const { pair } = position;
  const moment = unixMs(MADE_AT_MS + 1_000);
  const split: Split = {
    id: actionId("s"),
    pair,
    atMs: moment,
    announcedAtMs: MADE_AT_MS,
    kind: "split",
    newShares: 4,
    oldShares: 1,
  };
  const carriedOut = [{ id: split.id, pair, atMs: moment }];
  const account = madeAccount({ positions: [position], orders: [leg], carriedOut });
  const now = unixMs(MADE_AT_MS + 3_000);
  const read = (best: number) => {
    const seen = { pair, bid: price(best), ask: price(best), atMs: MADE_AT_MS };
    const recording = recordingMoment({
      ...madeMarket({ AAPL: 52 }),
      now,
      quotes: new Map([[pair, { ...seen, bid: price(52), ask: price(52), atMs: now }]]),
      actions: new Map([[pair, [split]]]),
      bests: new Map([[leg.uuid, seen]]),
    });
    recording.moment.quotes.get(pair);
    return recording.read(account);
  };
  expect(read(212)).toMatchObject({ actions: [split], bests: [{ orderUuid: leg.uuid }] });
  expect(read(208)).toMatchObject({ actions: [], bests: [] });
});
