import { expect, test } from "vitest";
import { actionId, type Split } from "../market/corporate-action.ts";
import {
  createTestAccount,
  createTestLeg,
  createTestMarket,
  createTestPosition,
  TEST_TIME_MS,
} from "../testing/test-account.ts";
import { price, ratio, unixMs } from "../units.ts";
import { createRecordingMoment } from "./recording-moment.ts";

test("a best price of before a split is recorded with the split, which the present quote includes [D13.oneScale]", () => {
  const position = createTestPosition({ pair: "AAPL", direction: "long", lots: 400, entry: 50 });
  const leg = createTestLeg(position, {
    trailing: { kind: "percent", ratio: ratio(0.05) },
    bestPrice: price(52.5),
  });
  const { pair } = position;
  const moment = unixMs(TEST_TIME_MS + 1_000);
  const split: Split = {
    id: actionId("s"),
    pair,
    atMs: moment,
    announcedAtMs: TEST_TIME_MS,
    kind: "split",
    newShares: 4,
    oldShares: 1,
  };
  const carriedOut = [{ id: split.id, pair, atMs: moment }];
  const account = createTestAccount({ positions: [position], orders: [leg], carriedOut });
  const now = unixMs(TEST_TIME_MS + 3_000);
  const read = (best: number) => {
    const seen = { pair, bid: price(best), ask: price(best), atMs: TEST_TIME_MS };
    const recording = createRecordingMoment({
      ...createTestMarket({ AAPL: 52 }),
      now,
      quotes: new Map([[pair, { ...seen, bid: price(52), ask: price(52), atMs: now }]]),
      actions: new Map([[pair, [split]]]),
      bests: new Map([[leg.uuid, seen]]),
    });
    recording.moment.quotes.get(pair);
    return recording.readInputs(account);
  };
  expect(read(212)).toMatchObject({ actions: [split], bests: [{ orderUuid: leg.uuid }] });
  expect(read(208)).toMatchObject({ actions: [], bests: [] });
});
