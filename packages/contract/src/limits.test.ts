import { expect, test } from "vitest";
import { LIMITS } from "./limits.ts";

/** Copied from the specification and its open points, not from the code. */
test("the limits of the API are those of the specification [S8.numbers]", () => {
  expect(LIMITS).toEqual({
    timestampSkewMs: 5 * 60 * 1000,
    timestampDigitsMin: 12,
    timestampDigitsMax: 16,
    nonceCharactersMin: 1,
    nonceCharactersMax: 128,
    readBudgetPerWindow: 120,
    receiptBudgetPerWindow: 60,
    readWindowMs: 60 * 1000,
    guardRejectionsMax: 30,
    guardWindowMs: 10 * 60 * 1000,
    guardCooldownMs: 15 * 60 * 1000,
    retryAfterSecondsMin: 1,
    payoutsLimitMin: 1,
    payoutsLimitDefault: 50,
    payoutsLimitMax: 200,
    candlesLimitMin: 1,
    candlesLimitDefault: 200,
    candlesLimitMax: 1000,
    eventsLimitMin: 1,
    eventsLimitDefault: 100,
    eventsLimitMax: 500,
    eventsWaitSecondsMax: 25,
    eventWaitsMax: 8,
    bodyBytesMax: 64 * 1024,
    jsonDepthMax: 16,
    bracketLegsMax: 10,
    listedOrdersMax: 100,
    switchSecondsMin: 1,
    switchSecondsMax: 86_400,
    orderAmountMax: 1_000_000_000,
    pairNameCharactersMax: 32,
  });
});
