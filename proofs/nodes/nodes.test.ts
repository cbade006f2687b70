import { randomUUID } from "node:crypto";
import { LIMITS } from "@propgate/contract";
import { accountId } from "@propgate/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createJournalDesk } from "../../packages/ledger/src/trading/journal/journal-desk.ts";
import { loadCatalogue } from "../../packages/market/src/catalogue/catalogue.ts";
import { testPostgresUrl } from "../../packages/server/src/testing/open-test-database.ts";
import { testNatsUrl } from "../../packages/server/src/testing/test-nats.ts";
import type { Trader } from "../kills/kill-under-load.ts";
import {
  type NodeAnswer,
  type NodeGroup,
  openNodeGroup,
  orderRequest,
  PAYOUTS_PATH,
  POSITIONS_PATH,
} from "./node-group.ts";

/** The servers of these tests; null when one is missing. The tests run two processes that share a database and NATS. */
const [postgres, nats] = [await testPostgresUrl(), await testNatsUrl()];

const BUY = orderRequest({
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  value: 100,
});
/** An order that the last of the gates rejects, because of its body, so the failure guard counts it. */
const BAD = orderRequest({ execution_type: "NO_SUCH_TYPE" });
const WINDOW_TRIES = 5;
const WEEK_MS = 7 * 86_400_000;

describe.skipIf(postgres === null || nats === null)("two processes on one PostgreSQL", () => {
  let two: NodeGroup;
  beforeAll(async () => {
    two = await openNodeGroup(postgres ?? "");
  });
  afterAll(() => two?.close());

  /**
   * Sends `count` requests concurrently. `one` sends a single request; it gets its index, which also selects the node.
   */
  const concurrently = (
    count: number,
    one: (index: number) => Promise<NodeAnswer>,
  ): Promise<NodeAnswer[]> => Promise.all(Array.from({ length: count }, (_, index) => one(index)));

  test("exactly one of a hundred concurrent requests with one nonce is accepted [S5.R2] [D2.race]", async () => {
    const trader = await two.newTrader();
    const reads = await concurrently(100, (node) =>
      two.send(node, trader, { nonce: "the one nonce" }),
    );
    expect(tally(reads)).toEqual({ 200: 1, 409: 99 });
    const orders = await concurrently(100, (node) =>
      two.send(node, trader, { ...BUY, nonce: "the other nonce" }),
    );
    expect(tally(orders)).toEqual({ 200: 1, 409: 99 });
    // The repeats of one order do not pause its key.
    expect((await two.send(0, trader, BUY)).status).toBe(200);
    const [filled] = await two.database.query<{ count: number }>(
      "select count(*)::int as count from journal where nonce = $1 and journal_text(event) like '%orderFilled%'",
      ["the other nonce"],
    );
    expect(filled?.count).toBe(1);
  });

  test("fifty clients on both nodes get exactly 120 reads per clock minute [S8.read] [D2.9]", async () => {
    const { readBudgetPerWindow, readWindowMs } = LIMITS;
    for (let attempt = 1; ; attempt += 1) {
      const trader = await two.newTrader();
      const minute = (): number => Math.floor(Date.now() / readWindowMs);
      const before = minute();
      const answers: NodeAnswer[] = [];
      await Promise.all(
        Array.from({ length: 50 }, async (_, client) => {
          for (let read = 0; read < 4; read += 1) {
            answers.push(await two.send(client + read, trader));
          }
        }),
      );
      // A test run that crosses the end of a clock minute uses two budgets, so it is repeated with another key.
      if (minute() !== before && attempt < WINDOW_TRIES) continue;
      expect(tally(answers)).toEqual({ 200: readBudgetPerWindow, 429: 200 - readBudgetPerWindow });
      const limited = answers.find(({ status }) => status === 429);
      expect(limited?.headers.get("x-ratelimit-reset")).toBe(
        String(((before + 1) * readWindowMs) / 1000),
      );
      // An order uses no budget.
      expect((await two.send(1, trader, BUY)).status).toBe(200);
      return;
    }
  });

  test("the failure guard counts the rejections of both nodes together [S8.guard] [S7.R3] [D2.guard]", async () => {
    const trader = await two.newTrader();
    const rejections = async (): Promise<number | undefined> => {
      const [row] = await two.database.query<{ count: number }>(
        "select cardinality(rejections) as count from key_usage where key_id = $1",
        [trader.keyId],
      );
      return row?.count;
    };
    const max = LIMITS.guardRejectionsMax;
    expect(tally(await concurrently(max - 1, (node) => two.send(node, trader, BAD)))).toEqual({
      400: max - 1,
    });
    expect(await rejections()).toBe(max - 1);

    // A success on either node resets the count.
    expect((await two.send(1, trader)).status).toBe(200);
    expect(await rejections()).toBe(0);

    expect(tally(await concurrently(max - 1, (node) => two.send(node, trader, BAD)))).toEqual({
      400: max - 1,
    });
    // Faults of the service do not count as rejections.
    await two.database.query("alter table journal rename to hidden");
    const faults = await concurrently(6, (node) => two.send(node, trader, BUY));
    await two.database.query("alter table hidden rename to journal");
    expect(tally(faults)).toEqual({ 500: 6 });
    expect(await rejections()).toBe(max - 1);

    // The thirtieth rejection still names its reason. Then both nodes pause the key's orders, but not its reads.
    expect((await two.send(0, trader, BAD)).status).toBe(400);
    const paused = await concurrently(8, (node) => two.send(node, trader, BUY));
    expect(tally(paused)).toEqual({ 429: 8 });
    for (const { body, headers } of paused) {
      expect(body).toEqual({ error: "too_many_failed_requests" });
      const seconds = Number(headers.get("retry-after"));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(LIMITS.guardCooldownMs / 1000);
    }
    expect((await two.send(1, trader)).status).toBe(200);
    expect((await two.send(0, trader, BUY)).status).toBe(429);
  });

  test("a key revoked on one node is refused on the other, and a key created there works immediately [S5.R6]", async () => {
    const trader = await two.newTrader();
    const both = (): Promise<NodeAnswer[]> => concurrently(2, (node) => two.send(node, trader));
    expect(tally(await both())).toEqual({ 200: 2 });
    expect((await two.operate(0, `DELETE /keys/${trader.keyId}`)).status).toBe(200);
    const refused = await Promise.all([two.send(1, trader), two.send(0, trader, BUY)]);
    expect(refused.map(({ status, body }) => [status, body])).toEqual([
      [401, { error: "Invalid key" }],
      [401, { error: "Invalid key" }],
    ]);
    const { accountId } = trader;
    const made = await two.operate(1, "POST /keys", { accountId, scopes: ["trade:read"] });
    const next = { accountId, ...credentialsOf(made.body) };
    expect(tally(await concurrently(2, (node) => two.send(node, next)))).toEqual({ 200: 2 });
  });

  test("orders of one account through both nodes add up, and its chain is intact [D2.race]", async () => {
    const trader = await two.newTrader();
    const answers = await concurrently(60, (index) => two.send(index, trader, BUY));
    expect(tally(answers)).toEqual({ 200: 60 });
    const bought = answers.reduce((sum, { body }) => sum + quantityOf(body), 0);
    const positions = await concurrently(2, (node) =>
      two.send(node, trader, { target: POSITIONS_PATH }),
    );
    for (const { body } of positions) {
      expect(body).toMatchObject({ data: [{ tradePair: "BTCUSD", positionType: "LONG" }] });
      expect(netQuantityOf(body)).toBeCloseTo(bought, 8);
    }
    const { instruments } = await loadCatalogue(null);
    const journal = createJournalDesk(two.database, instruments);
    expect(await journal.verify(accountId(trader.accountId))).toMatchObject({ broken: [] });
    expect(await journal.rebuild(accountId(trader.accountId), false)).toMatchObject({
      different: [],
    });
  });

  test("pages of payouts miss and repeat none while more are written [S4.1.cursor]", async () => {
    const trader = await two.newTrader();
    const first = 40;
    const stored: string[] = [];
    for (let week = 0; week < first; week += 1) stored.unshift(await writePayout(trader, week));
    const read: string[] = [];
    let cursor: string | null = null;
    let added = 0;
    for (let page = 0; page === 0 || cursor !== null; page += 1) {
      const query = cursor === null ? "?limit=7" : `?limit=7&cursor=${encodeURIComponent(cursor)}`;
      const writing = Promise.all(
        [0, 1, 2].map((more) => writePayout(trader, first + added + more)),
      );
      added += 3;
      const { status, body } = await two.send(page, trader, { target: `${PAYOUTS_PATH}${query}` });
      expect(status).toBe(200);
      const { ids, next } = pageOf(body);
      read.push(...ids);
      cursor = next;
      await writing;
    }
    expect(new Set(read).size).toBe(read.length);
    // Newer payouts may come first. The last ones are all payouts that existed at the start, in order.
    expect(read.slice(-first)).toEqual(stored);
    expect(read.length).toBeLessThanOrEqual(first + 3);
  });

  /** Writes the payout of a closed week as the executor does; resolves with its id. */
  async function writePayout({ accountId }: Trader, week: number): Promise<string> {
    const id = randomUUID();
    const periodStartMs = 1_700_000_000_000 + week * WEEK_MS;
    const periodEndMs = periodStartMs + WEEK_MS;
    const payment = { status: "pending", rail: "manual", provider: "manual", reference: null };
    const payout = {
      id,
      periodStartMs,
      periodEndMs,
      amount: 1_000_000,
      split: 1,
      createdAtMs: periodEndMs,
      payment: { ...payment, requestedAtMs: null, paidAtMs: null, paidAmount: null },
    };
    await two.database.query(
      `insert into payouts (account_id, payout_id, period_start_ms, period_end_ms, seq, status, payout)
       values ($1, $2, $3, $4, 1, 'pending', $5)`,
      [accountId, id, periodStartMs, periodEndMs, JSON.stringify(payout)],
    );
    return id;
  }
});

/** The number of answers with each status. */
function tally(answers: readonly NodeAnswer[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function credentialsOf(body: unknown): { readonly keyId: string; readonly secret: string } {
  const { data } = body as { readonly data: { readonly keyId: string; readonly secret: string } };
  return { keyId: data.keyId, secret: data.secret };
}

function quantityOf(body: unknown): number {
  return (body as { readonly data: { readonly order: { readonly quantity: number } } }).data.order
    .quantity;
}

function netQuantityOf(body: unknown): number {
  const { data } = body as { readonly data: readonly { readonly netQuantity: number }[] };
  return data[0]?.netQuantity ?? Number.NaN;
}

function pageOf(body: unknown): { readonly ids: readonly string[]; readonly next: string | null } {
  const { data } = body as {
    readonly data: {
      readonly items: readonly { id: string }[];
      readonly nextCursor: string | null;
    };
  };
  return { ids: data.items.map(({ id }) => id), next: data.nextCursor };
}
