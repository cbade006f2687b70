import { accountId, evolve, ownerId, roundUsd, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { loadCatalogue } from "../../../market/src/catalogue/catalogue.ts";
import { TEST_TERMS } from "../../../server/src/testing/counting-decider.ts";
import { instrumentViews } from "./instrument.ts";

const { instruments } = await loadCatalogue(null);
const NOW = unixMs(Date.UTC(2026, 0, 5, 15));

describe("the least size of a pair is one that the account can place [D10.leastSize]", () => {
  test.each([
    // account size, pair, least lots, least value
    [100_000, "EURUSD", 0.01, null],
    [10_001, "EURUSD", 0.01, null],
    [10_000, "EURUSD", 0.0001, null],
    [10_000, "USDJPY", 0.0001, null],
    [100_000, "AAPL", 0.01, null],
    [100_000, "BTCUSD", null, 10],
    [100_000, "XAUUSD", null, 10],
  ])("an account of %d can place %s from %d lots or $%d on", (...row) => {
    const [size, pair, leastQuantity, leastValue] = row;
    const state = evolve(null, {
      type: "accountOpened",
      atMs: NOW,
      accountId: accountId("a"),
      ownerId: ownerId("o"),
      terms: { ...TEST_TERMS, size: roundUsd(size) },
      provisioned: true,
    });
    const views = instrumentViews({
      state,
      moment: { now: NOW, quotes: new Map(), instruments },
      funding: new Map(),
    });
    const view = views.find(({ tradePair }) => tradePair === pair);
    expect(view).toMatchObject({ leastQuantity, leastValue });
  });
});
