import { evolve } from "@propgate/core";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { rebuildJournal } from "../../packages/ledger/src/trading/journal/rebuild-journal.ts";
import { verifyJournal } from "../../packages/ledger/src/trading/journal/verify-journal.ts";
import { loadCatalogue } from "../../packages/market/src/catalogue/catalogue.ts";
import { type Harness, openHarness } from "../../packages/server/src/testing/harness.ts";
import type { Reply, Signer } from "../../packages/server/src/testing/signed-request.ts";
import { propertySettings } from "../environment/depth.ts";
import {
  arbitraryHostileBody,
  arbitraryHostileOrder,
  arbitraryPlausibleOrder,
  ORDER_ID_PLACEHOLDER,
} from "./hostile-orders.ts";

/** Pairs of every class with their prices, among them the cheapest coin, a yen pair and a cross. */
const PRICES: Readonly<Record<string, number>> = {
  BTCUSD: 50_000,
  DOGEUSD: 0.08,
  EURUSD: 1.1,
  USDJPY: 150,
  EURJPY: 165,
  XAUUSD: 2_000,
  SPX: 5_000,
  AAPL: 190,
};
const PAIRS = Object.keys(PRICES);
const READS = ["account", "positions", "orders", "trades", "payouts"] as const;
/** The statuses that the specification lists for POST orders, without 500. */
const ORDER_STATUSES: ReadonlySet<number> = new Set([200, 400, 401, 403, 404, 409, 429]);
const TO_OPEN_MARKETS_MS = 4 * 3_600_000; // 16:00 UTC: New York trades
/**
 * The number of calls of one trader. It is below the failure guard's limit of 30, whose 429 would hide every later
 * answer.
 */
const CALLS_A_TRADER = 25;
const RUNS = 200;
const LOG_ERROR = 50;

describe("a client that sends bad input gets an answer of the specification [S7.statuses] [D2.order]", () => {
  let service: Harness;
  let sent = 0;
  let trader: Signer;

  beforeAll(async () => {
    const { instruments } = await loadCatalogue(null);
    service = await openHarness({ instruments });
    await service.time.pass(TO_OPEN_MARKETS_MS);
    return () => service.close();
  });

  /** Opens an account with a key for the next trader, and moves the prices. */
  async function nextTrader(): Promise<void> {
    const step = sent / CALLS_A_TRADER;
    for (const [pair, price] of Object.entries(PRICES)) {
      const moved = price * (1 + 0.01 * Math.sin(step * 7));
      await service.quote(pair, moved, moved * 1.0001);
    }
    trader = await service.newKey({ accountId: await service.newAccount() });
  }

  /**
   * Sends a body as an order and checks the answer. `ORDER_ID_PLACEHOLDER` in the body is replaced by the id of a
   * pending order when there is one.
   */
  async function post(body: string | Buffer): Promise<void> {
    if (sent % CALLS_A_TRADER === 0) await nextTrader();
    sent += 1;
    const aimed =
      typeof body === "string"
        ? body.replace(ORDER_ID_PLACEHOLDER, await restingOrder(body))
        : body;
    const call = { method: "POST", body: aimed, signer: trader };
    expectListed(await service.call("/api/v1/trading/orders", call), aimed);
  }

  async function restingOrder(body: string): Promise<string> {
    if (!body.includes(ORDER_ID_PLACEHOLDER)) return ORDER_ID_PLACEHOLDER;
    const reply = await service.get("orders", { signer: trader });
    const { data } = reply.json() as { readonly data: readonly { readonly orderUuid: string }[] };
    return data[0]?.orderUuid ?? ORDER_ID_PLACEHOLDER;
  }

  test.each([
    ["any bytes as a body get an answer of the specification", arbitraryHostileBody, RUNS],
    [
      "any value in any field of any order gets an answer of the specification",
      arbitraryHostileOrder(PAIRS),
      3 * RUNS,
    ],
    [
      "orders of every size and price that a number can express get an answer of the specification",
      arbitraryPlausibleOrder(PAIRS),
      4 * RUNS,
    ],
  ] as const)("%s", async (_, bodies: fc.Arbitrary<string | Buffer>, count) => {
    await fc.assert(fc.asyncProperty(bodies, post), propertySettings(count));
    await expectSound(service, trader);
  });
});

function expectListed(reply: Reply, sent: string | Buffer): void {
  const said = `${reply.status} ${reply.text.slice(0, 300)} to ${sent.toString().slice(0, 500)}`;
  expect(ORDER_STATUSES, said).toContain(reply.status);
  if (reply.status !== 200) expect(Object.keys(reply.json() as object), said).toEqual(["error"]);
}

/** Checks that no fault was logged, every journal is intact and yields the stored states, and the figures agree. */
async function expectSound(service: Harness, signer: Signer): Promise<void> {
  const faults = service.logged.filter((line) => JSON.parse(line).level >= LOG_ERROR);
  expect(faults).toEqual([]);
  const { database } = service;
  expect(await verifyJournal(database, "all")).toMatchObject({ broken: [] });
  const { instruments } = await loadCatalogue(null);
  const need = { database, evolve, instruments, which: "all", write: false } as const;
  const rebuilt = await rebuildJournal(need);
  expect(rebuilt).toMatchObject({ different: [] });
  for (const read of READS) expect((await service.get(read, { signer })).status).toBe(200);
  const { data } = (await service.get("account", { signer })).json() as {
    readonly data: { readonly account: Readonly<Record<string, number>> };
  };
  const { currentBalance = 0, currentEquity = 0, openPnL = 0 } = data.account;
  expect(currentEquity).toBeCloseTo(currentBalance + openPnL, 6);
}
