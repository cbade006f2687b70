import { accountId } from "@propgate/core";
import { expect, test } from "vitest";
import {
  keyedCountSubmission,
  TEST_NOON,
} from "../../../../server/src/testing/counting-network.ts";
import { EURUSD, SMALL_CATALOGUE } from "../../../../server/src/testing/small-market.ts";
import { BEFORE_FIRST_QUOTE } from "../../storage/rows/quote-position.ts";
import { createOutcomeLimits } from "./outcome-limits.ts";
import type { QueuedCommand } from "./queued-command.ts";

test("an order without a pair that waits too long for quotes is refused with a pair of its account", async () => {
  const limits = createOutcomeLimits({
    clock: { now: () => TEST_NOON },
    instruments: SMALL_CATALOGUE,
    barrier: { allows: () => false, lostEpoch: () => 0, wait: async () => false },
    limitForwarding: (_, outcome) => outcome,
  });
  const command: QueuedCommand = {
    submission: keyedCountSubmission(accountId("one"), "late"),
    resolve() {},
    reject() {},
    number: 1,
    tries: null,
    quotesUntilMs: TEST_NOON,
    forwarded: null,
    isReady: true,
  };
  const quotes = {
    place: BEFORE_FIRST_QUOTE,
    lostEpoch: 0,
    isDecidedHere: true,
    pairs: () => [EURUSD],
  };
  const refused = { execution: { refusal: { code: "noFreshQuote", pair: EURUSD } } };
  expect(SMALL_CATALOGUE.keys().next().value).not.toBe(EURUSD);
  expect(await limits.waitForQuotes(command, quotes)).toMatchObject(refused);
  expect(limits.applyLimit(command, { is: "awaitingQuotes", quotes })).toMatchObject(refused);
});
