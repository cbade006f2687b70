import { orderPath } from "@propgate/contract";
import { pairId, price, unixMs } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import { createMemoryCandles } from "../../../market/src/prices/candles/memory-candles.ts";
import { fittingList } from "../../../wire/src/fitting-list.ts";
import { expectDescribedAnswer } from "../testing/described-answer.ts";
import { type Harness, openHarness, START_MS } from "../testing/harness.ts";
import type { Reply } from "../testing/signed-request.ts";

const BYTES_MAX = 256 * 1_024;
const LEGS = Array.from({ length: 10 }, (_, at) => ({ stop_loss: 30_000 + at, quantity: 0.001 }));
const BID = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.1,
  limit_price: 40_000,
  bracket_orders: LEGS,
};
const MARKET = { execution_type: "MARKET", trade_pair: "BTCUSD", quantity: 0.001 };

interface Page {
  readonly items: readonly { readonly cursor: string }[];
  readonly next: string | null;
}

describe("no answer of a list has more than 256 KiB of JSON [D13.answerBytes]", () => {
  let service: Harness;
  let edited = "";

  beforeAll(async () => {
    service = await openHarness();
    await service.quote("BTCUSD", 50_000, 50_000);
    const place = async (trade: object): Promise<string> => {
      const reply = await service.order(trade);
      expect(reply.status, reply.text).toBe(200);
      return (reply.json() as { data: { order_uuid: string } }).data.order_uuid;
    };
    edited = await place(BID);
    for (let edit = 1; edit <= 150; edit += 1) {
      const limit_price = 40_000 + edit;
      await place({ ...BID, execution_type: "LIMIT_EDIT", order_uuid: edited, limit_price });
    }
    for (let count = 0; count < 120; count += 1) {
      const order_uuid = await place(BID);
      await place({ execution_type: "LIMIT_CANCEL", order_uuid });
    }
    for (let count = 0; count < 400; count += 1) {
      await place({ ...MARKET, order_type: count % 2 === 0 ? "LONG" : "SHORT" });
    }
    return () => service.close();
  });

  /** Reads a list from its start to its end, by pages of this size. */
  const readAll = async (
    limit: number,
    read: (query: string) => Promise<Page>,
  ): Promise<{ readonly items: readonly unknown[]; readonly pages: readonly number[] }> => {
    const items: unknown[] = [];
    const pages: number[] = [];
    let after = "0";
    for (;;) {
      const page = await read(`after=${after}&limit=${limit}`);
      items.push(...page.items);
      if (page.items.length > 0) pages.push(page.items.length);
      if (page.next === null || page.next === after || page.items.length === 0) break;
      after = page.next;
    }
    return { items, pages };
  };
  // The budget of reads is for each key, so each read has a new one.
  const answered = async (
    endpoint: Parameters<typeof expectDescribedAnswer>[0],
    path: string,
  ): Promise<Reply> => {
    const reply = await service.call(path, { signer: await service.newKey() });
    expect([reply.status, path]).toEqual([200, path]);
    expect(Buffer.byteLength(reply.text)).toBeLessThanOrEqual(BYTES_MAX);
    expectDescribedAnswer(endpoint, reply);
    return reply;
  };

  test.each([
    ["events", "getEvents"],
    ["order-history", "getOrderHistory"],
    ["fills", "getFills"],
  ] as const)(
    "pages of %s are cut, and `next` loses and repeats nothing",
    async (path, endpoint) => {
      const read = async (query: string): Promise<Page> => {
        const reply = await answered(endpoint, `/api/v1/trading/${path}?${query}`);
        return (reply.json() as { data: Page }).data;
      };
      const large = await readAll(500, read);
      const small = await readAll(20, read);
      expect(large.items).toEqual(small.items);
      const [first = 0] = large.pages;
      expect(first).toBeLessThan(Math.min(500, large.items.length));
      expect(first).toBeGreaterThan(20);
    },
  );

  test.each([
    ["order-history", "getOrderHistory"],
    ["fills", "getFills"],
  ] as const)(
    "without `after`, %s are the newest ones that fit [D9.orderHistory] [D9.fills]",
    async (path, endpoint) => {
      const read = async (query: string): Promise<Page> => {
        const reply = await answered(endpoint, `/api/v1/trading/${path}?${query}`);
        return (reply.json() as { data: Page }).data;
      };
      const { items: all } = await readAll(500, read);
      const { items, next } = await read("limit=500");
      expect(items.length).toBeLessThan(Math.min(500, all.length));
      expect(items).toEqual(all.slice(-items.length));
      expect((await read(`after=${next}`)).items).toEqual([]);
    },
  );

  test("the events of an order's life continue with `after` and `next`", async () => {
    const read = async (query: string) => {
      const reply = await answered("getOrder", orderPath(edited) + query);
      return (reply.json() as { data: { events: unknown[]; next: string | null } }).data;
    };
    const { events: first, next, ...life } = await read("");
    expect(first.length).toBeLessThan(151);
    const events = [...first];
    let after = next;
    while (after !== null) {
      const { events: more, next: behind, ...same } = await read(`?after=${after}`);
      expect(same).toEqual(life);
      events.push(...more);
      after = behind;
    }
    expect(events).toHaveLength(151);
    const sequences = events.map((event) => (event as { sequence: number }).sequence);
    expect(sequences).toEqual([...new Set(sequences)].sort((one, other) => one - other));
  });
});

describe("candles of more than 256 KiB [D13.answerBytes]", () => {
  const CANDLES = 1_500;
  let service: Harness;

  beforeAll(async () => {
    const candles = createMemoryCandles();
    for (let minute = 0; minute < CANDLES; minute += 1) {
      const atMs = unixMs(START_MS + minute * 60_000);
      const bid = price(50_000.12345 + minute);
      const ask = price(50_001.54321 + minute);
      candles.addQuote({ pair: pairId("BTCUSD"), bid, ask, atMs, receivedAtMs: atMs });
    }
    service = await openHarness({ candles: () => candles });
    return () => service.close();
  });

  const read = async (query: string) => {
    const path = `/api/v1/trading/candles?tradePair=BTCUSD&interval=1m&limit=1000${query}`;
    const reply = await service.call(path);
    expect(reply.status).toBe(200);
    expect(Buffer.byteLength(reply.text)).toBeLessThanOrEqual(BYTES_MAX);
    expectDescribedAnswer("getCandles", reply);
    return reply.json() as { data: { startMs: number }[]; next: number | null };
  };

  test("candles of more than 256 KiB are cut, and `next` loses and repeats none", async () => {
    const starts: number[] = [];
    const pages: number[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const { data, next } = await read(`&after=${after}`);
      starts.push(...data.map(({ startMs }) => startMs));
      pages.push(data.length);
      after = next;
    }
    expect(starts).toEqual(
      Array.from({ length: CANDLES }, (_, minute) => START_MS + minute * 60_000),
    );
    expect(pages[0]).toBeLessThan(1_000);
    expect(pages[0]).toBeGreaterThan(500);
  });

  test("candles of more than 256 KiB without `after` are the newest ones that fit", async () => {
    const { data, next } = await read("");
    expect(next).toBeNull();
    expect(data.length).toBeLessThan(1_000);
    expect(data.at(-1)?.startMs).toBe(START_MS + (CANDLES - 1) * 60_000);
    expect(data[0]?.startMs).toBe(START_MS + (CANDLES - data.length) * 60_000);
  });
});

describe("the beginning of a list that fits into one answer [D13.answerBytes]", () => {
  const item = (bytes: number): string => "x".repeat(bytes - 3);

  test("the last part that fits exactly is there, and one byte more is not", async () => {
    const parts = (last: number) => [[item(100_000)], [item(BYTES_MAX - 100_000 - last)]];
    expect((await fittingList(parts(0), 0)).count).toBe(2);
    expect((await fittingList(parts(-1), 0)).count).toBe(1);
    expect((await fittingList(parts(512))).count).toBe(2);
    expect((await fittingList(parts(511))).count).toBe(1);
  });

  test("a part is never divided, and the first one is always there", async () => {
    const half = item(BYTES_MAX / 2);
    expect(await fittingList([[half], [half, half]], 0)).toEqual({ json: `["${half}"]`, count: 1 });
    expect((await fittingList([[half, half, half]], 0)).count).toBe(1);
    expect(await fittingList([])).toEqual({ json: "[]", count: 0 });
  });
});
