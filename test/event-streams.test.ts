/** The client's streams of events against the real service: a stream must give the same events as GET events. */
import {
  type AccountEvent,
  type Client,
  createClient,
  createEventConsumer,
  type EventsPage,
} from "@propgate/sdk";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createSeededChance } from "../packages/base/src/random.ts";
import { type Harness, openHarness } from "../packages/server/src/testing/harness.ts";
import { openStream, openStreamWhenFree } from "../packages/server/src/testing/open-stream.ts";
import type { Signer } from "../packages/server/src/testing/signed-request.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";
import { SEED, scaledCount } from "./environment/depth.ts";
import { eventually } from "./eventually.ts";

const LIMIT = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.01,
  limit_price: 40_000,
} as const;

describe("a client's stream of events [D9.stream]", () => {
  let service: Harness;
  beforeEach(async () => {
    service = await openHarness();
    await service.quote("BTCUSD", 50_000, 50_000);
    return () => service.close();
  });

  const clientAt = (baseUrl: string, signer: Signer): Client =>
    createClient({
      ...signer,
      baseUrl,
      now: () => service.time.clock.now(),
      retry: { wait: () => Promise.resolve() },
    });
  const client = async (): Promise<Client> =>
    clientAt(`http://127.0.0.1:${service.port}`, await service.newKey());
  const act = async (): Promise<void> => {
    const placed = (await service.order(LIMIT)).json() as { data: { order_uuid: string } };
    const { order_uuid } = placed.data;
    await service.order({ execution_type: "LIMIT_CANCEL", order_uuid });
  };
  /** Makes the account's journal, which has one line, `lines` lines long by copies of that line. */
  const lengthen = async (lines: number): Promise<void> => {
    await service.database.query(
      `insert into journal select account_id, seq + n, at_ms, origin, key_id, nonce, command, event, hash
       from journal, generate_series(1, ${lines - 1}) n where account_id = $1 and seq = 1`,
      [service.accountId],
    );
    await service.database.query(`update accounts set version = ${lines} where account_id = $1`, [
      service.accountId,
    ]);
  };
  const all = async (): Promise<EventsPage> => {
    const reply = await service.get("events?limit=500");
    return (reply.json() as { data: EventsPage }).data;
  };

  test("a client's stream of events gives the events of GET events at the same cursor, nothing twice and nothing missing, however often the connection is cut", async () => {
    const chance = createSeededChance(`cuts ${SEED}`);
    const proxy = await startCuttingProxy(
      () => service.port,
      () => {
        const [high = 0, low = 0] = chance.bytes(2);
        return (high * 256 + low) % 12_000;
      },
    );
    onTestFinished(() => proxy.close());
    const [one, few] = [await service.newKey(), await service.newKey()].map((signer) =>
      clientAt(proxy.baseUrl, signer),
    );
    const stop = new AbortController();
    const read = async (events: AsyncIterable<AccountEvent> | undefined) => {
      const folded: AccountEvent[] = [];
      const reading = (async () => {
        for await (const event of events ?? []) folded.push(event);
      })();
      return { folded, reading };
    };
    const options = { signal: stop.signal };
    const [every, filled] = [
      await read(one?.events({}, options)),
      await read(few?.events({ types: ["order.cancelled"] }, options)),
    ];
    for (let acts = 0; acts < scaledCount(100, 15); acts += 1) {
      await act();
      // Each act moves the clock, so that the read budgets of both clients are refilled from time to time.
      await service.time.pass(6_000);
    }
    const { items } = await all();
    await eventually(async () => {
      await service.time.pass(15_000);
      expect(every.folded.length).toBeGreaterThanOrEqual(items.length);
      expect(filled.folded.at(-1)?.sequence).toBe(items.length);
    });
    expect(every.folded).toEqual(items);
    expect(filled.folded).toEqual(items.filter(({ type }) => type === "order.cancelled"));
    expect(proxy.cuts()).toBeGreaterThan(3);
    stop.abort();
    await Promise.all([every.reading, filled.reading]);
  });

  test("a client's stream of events ends at the head with `until`, and says whether it is verified [D9.proof]", async () => {
    await act();
    const stream = (await client()).events({ after: 1 }, { until: "head" });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect([stream.verified, types]).toEqual([true, ["order.resting", "order.cancelled"]]);
    expect((await client()).events({ types: ["order.filled"] }).verified).toBe(false);
  });

  test("an aborted iteration gives nothing more out, also of what has arrived already", async () => {
    for (let acts = 0; acts < 5; acts += 1) await act();
    const stop = new AbortController();
    const seen: number[] = [];
    for await (const { sequence } of (await client()).events({}, { signal: stop.signal })) {
      seen.push(sequence);
      if (sequence === 2) stop.abort();
    }
    expect(seen).toEqual([1, 2]);
    const handled: number[] = [];
    const end = new AbortController();
    const consumer = createEventConsumer({
      load: () => null,
      handle({ sequence }) {
        handled.push(sequence);
        end.abort();
      },
    });
    await consumer.run(await client(), { signal: end.signal });
    expect(handled).toEqual([1]);
  });

  test("a line that was altered, an altered hash, and another past throw HistoryDiffersError [D9.proof D9.cursor]", async () => {
    await act();
    const { next } = await all();
    const one = await client();
    const whole = async (after: string | number = 0) => {
      for await (const _ of one.events({ after }, { until: "head" }));
    };
    await whole(next);
    const change = (set: string, sequence: number) =>
      service.database.query(
        `update journal set ${set} where account_id = $1 and seq = ${sequence}`,
        [service.accountId],
      );
    await change("at_ms = at_ms + 1", 2);
    await expect(whole()).rejects.toMatchObject({
      code: "historyDiffers",
      message: "history differs: event 2 does not follow event 1 by its hash",
    });
    await change("at_ms = at_ms - 1", 2);
    await whole();
    await change("hash = sha256('another past')", 3);
    await expect(whole(2)).rejects.toMatchObject({ code: "historyDiffers" });
    await expect(whole(next)).rejects.toMatchObject({ code: "historyDiffers" });
    await expect(whole(`9-${next.split("-")[1]}`)).rejects.toMatchObject({
      code: "historyDiffers",
      message: "history differs: 'after' is ahead of the journal (3)",
    });
  });

  test("a consumer handles each event once across a crash, and begins at the stored cursor [D9.consumer]", async () => {
    await act();
    const handled: number[] = [];
    let stored: string | null = null;
    const consumer = (crashAt: number | null) =>
      createEventConsumer({
        load: () => stored,
        handle: ({ sequence }) => {
          if (sequence === crashAt) throw new Error("the program crashed");
          handled.push(sequence);
        },
        save: (cursor) => {
          stored = cursor;
        },
      });
    const one = await client();
    await expect(consumer(3).run(one, { until: "head" })).rejects.toThrow("the program crashed");
    await consumer(null).run(one, { until: "head" });
    await consumer(null).run(one, { until: "head" });
    expect([handled, stored]).toEqual([[1, 2, 3], (await all()).next]);
  });

  test("a revoked key ends the iteration with the service's refusal [D9.streamEnds]", async () => {
    const signer = await service.newKey();
    const one = clientAt(`http://127.0.0.1:${service.port}`, signer);
    const iterator = one.events()[Symbol.asyncIterator]();
    expect((await iterator.next()).done).toBe(false);
    const next = iterator.next();
    await service.keys.revoke(signer.keyId);
    await act();
    await expect(next).rejects.toMatchObject({ code: "invalidKey", status: 401 });
  });

  test("quotes and marks come to their listeners [D9.streamQuotes]", async () => {
    const quotes: string[] = [];
    const marks: boolean[] = [];
    const query = { types: [], quotes: ["BTC/USD"], every: 0.25 };
    const events = (await client()).events(query, {
      until: "head",
      onQuote: ({ tradePair }) => void quotes.push(tradePair),
      onMark: ({ live }) => void marks.push(live),
    });
    for await (const event of events) throw new Error(`no event was asked for: ${event.type}`);
    expect([quotes, marks]).toEqual([["BTCUSD"], [true]]);
  });

  test("a reader that pauses is late and misses nothing, and others are answered meanwhile", async () => {
    const lines = 20_000;
    await lengthen(lines);
    const stream = await openStream(service);
    // During these reads the stream's buffers fill, at the service and at the reader.
    for (let reads = 0; reads < 20; reads += 1) {
      expect((await service.get("events?limit=1")).status).toBe(200);
    }
    const frames = await stream.until("mark");
    const sequences = frames.slice(0, -1).map(({ data }) => data.sequence);
    expect(sequences).toEqual(Array.from({ length: lines }, (_, index) => index + 1));
    stream.leave();
  });

  test("a reader that takes nothing does not hold up the service's stop [D9.streamEnds]", async () => {
    await lengthen(30_000);
    const { response } = await openStream(service);
    response.socket.pause();
    response.on("error", () => undefined);
    await service.close();
    service = await openHarness();
  });

  test("a client that is gone without a word leaves its place when it takes nothing more", async () => {
    await service.close();
    service = await openHarness({ edge: { stalledMs: 500 } });
    await lengthen(30_000);
    const paused = [await openStream(service), await openStream(service)];
    for (const { response } of paused) response.socket.pause();
    expect((await openStream(service)).response.statusCode).toBe(429);
    const next = await openStreamWhenFree(service);
    for (const { leave } of [next, ...paused]) leave();
  });
});
