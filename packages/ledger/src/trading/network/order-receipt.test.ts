import {
  type AccountState,
  type Command,
  decide,
  evolve,
  type Moment,
  pairId,
  price,
  roundUsd,
  unixMs,
} from "@propgate/core";
import { expect, test } from "vitest";
import { TEST_CATALOGUE } from "../../../../core/src/testing/catalogue.ts";
import {
  createTestAccount,
  createTestPosition,
  TEST_TIME_MS,
} from "../../../../core/src/testing/test-account.ts";
import { orderReceipt } from "./order-receipt.ts";

const BTC = pairId("BTCUSD");
const EUR = pairId("EURUSD");
const DAY_MS = 86_400_000;
const FLATTEN = { type: "flatten", target: "all" } as const;
const CANCEL = { type: "cancelOrders", target: "all" } as const;

/** An account that passes its challenge at a BTCUSD of 49,000 or more, and is eliminated below 34,000. */
const HOLDER: AccountState = createTestAccount({
  realized: roundUsd(11_000),
  positions: [createTestPosition({ pair: "BTCUSD", direction: "long", lots: 1, entry: 50_000 })],
});

function endedBy(
  command: Command,
  kind: "flattened" | "cancelled",
  at: number,
  now = TEST_TIME_MS,
) {
  const quotes = new Map([[BTC, { pair: BTC, bid: price(at), ask: price(at), atMs: now }]]);
  const moment: Moment = { now, quotes, instruments: TEST_CATALOGUE };
  const done = decide(HOLDER, command, moment);
  if (!done.ok) throw new Error(done.refusal.code);
  const rest = { kind, processingMs: 0, notFound: [], stayed: [], withoutStop: [] };
  const types = done.value.map(({ type }) => type);
  const after = done.value.reduce<AccountState | null>(evolve, HOLDER);
  return { ended: orderReceipt(rest, done.value).ended, types, phase: after?.phase };
}

const NEXT_DAY = unixMs(TEST_TIME_MS + DAY_MS);

test.each([
  ["FLAT_ALL of a pair without a position", { ...FLATTEN, pair: EUR }, "flattened"],
  ["LIMIT_CANCEL without an order to cancel", { ...CANCEL, pair: BTC }, "cancelled"],
] as const)(
  "%s did not pass a challenge that due work has passed before it [D13.ended]",
  (_, command, kind) => {
    const { ended, types, phase } = endedBy(command, kind, 49_000, NEXT_DAY);
    expect(types).toContain("dayEnded");
    expect(types).toContain("challengePassed");
    expect([ended, phase]).toEqual([null, "funded"]);
  },
);

test("FLAT_ALL without a position to close shows the ending that is judged after it [D13.ended]", () => {
  const flatten = { ...FLATTEN, pair: EUR };
  expect(endedBy(flatten, "flattened", 49_000).ended).toBe("passed");
  expect(endedBy(flatten, "flattened", 33_000).ended).toBe("eliminated");
});
