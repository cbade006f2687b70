import { connect } from "node:net";
import type { EventsPage } from "@propgate/contract";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Harness, openHarness } from "../../../testing/harness.ts";
import { keepAllRows } from "../../../testing/keep-all-rows.ts";
import { type OpenStream, openStream, type ReadFrame } from "../../../testing/open-stream.ts";
import { signedHeaders } from "../../../testing/signed-request.ts";

const LIMIT = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.1,
  limit_price: 40_000,
} as const;
const MARK_MS = 15_000;

describe("GET events/stream answers 200 [D9.stream]", () => {
  let service: Harness;
  beforeEach(async () => {
    service = await openHarness();
    await service.quote("BTCUSD", 50_000, 50_000);
    return () => service.close();
  });

  const open = async (query = "", options?: Parameters<typeof openStream>[2]) => {
    const stream = await openStream(service, query, options);
    expect(stream.response.statusCode).toBe(200);
    onTestFinished(() => stream.leave());
    return stream;
  };
  const events = async (query = ""): Promise<EventsPage> => {
    const reply = await service.get(`events${query}`);
    return (reply.json() as { data: EventsPage }).data;
  };
  const placed = async (): Promise<string> => {
    const reply = await service.order(LIMIT);
    return (reply.json() as { data: { order_uuid: string } }).data.order_uuid;
  };
  const namesOf = (frames: readonly ReadFrame[]) => frames.map(({ event }) => event);

  test("every event as GET events has it, oldest first, then a mark, then each event as it happens [D9.streamMarks]", async () => {
    await placed();
    const stream = await open();
    const frames = await stream.until("mark");
    const page = await events();
    expect(frames.map(({ id }) => id)).toEqual([...page.items.map(({ cursor }) => cursor), null]);
    expect(frames.slice(0, -1).map(({ data }) => data)).toEqual(page.items);
    expect(frames.at(-1)?.data).toEqual({
      cursor: page.next,
      atMs: service.time.clock.now(),
      live: true,
    });
    const order_uuid = await placed();
    await service.order({ execution_type: "LIMIT_CANCEL", order_uuid });
    const happened = [await stream.next(), await stream.next()];
    expect(happened.map((frame) => frame?.data)).toEqual(
      (await events(`?after=${page.next}`)).items,
    );
  });

  test("a stream whose last event a failover has lost ends, so that its client learns of the other history [D9.streamEnds]", async () => {
    const stream = await open();
    await stream.until("mark");
    const goBack = await keepAllRows(service.database);
    await placed();
    expect((await stream.next())?.event).toBe("order.resting");
    // In this time the stream also reads the version of the event, which is lost later, from the database.
    await service.pass(1_000);
    await goBack();
    await service.pass(1_000);
    await service.pass(MARK_MS);
    expect(await stream.next()).toMatchObject({ event: "end", data: { reason: "restart" } });
  });

  test("GET events/stream answers with the headers of a stream that no proxy keeps back", async () => {
    const { response } = await open();
    expect(response.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
      "x-service-account-version": (await events()).next,
    });
    expect(response.headers["content-encoding"]).toBeUndefined();
  });

  test("GET events/stream ends for a client that ends its side, also when its end comes with the request [D9.streamEnds]", async () => {
    const target = "/api/v1/trading/events/stream";
    const ended = (nonce: string, isLate: boolean) =>
      new Promise<string>((resolve) => {
        const timestamp = String(service.time.clock.now());
        const signed = { method: "GET", target, body: "", timestamp, nonce };
        const headers = Object.entries({ Host: "x", ...signedHeaders(service.signer, signed) });
        const lines = headers.map(([name, value]) => `${name}: ${value}`);
        const request = [`GET ${target} HTTP/1.1`, ...lines, "", ""].join("\r\n");
        const pieces: Buffer[] = [];
        const socket = connect(service.port, "127.0.0.1", () => {
          if (isLate) socket.write(request);
          else socket.end(request);
        });
        socket.on("data", (piece) => {
          pieces.push(piece);
          if (Buffer.concat(pieces).includes("event: mark")) socket.end();
        });
        socket.on("close", () => resolve(Buffer.concat(pieces).toString()));
      });
    expect(await ended("late", true)).toContain("event: mark");
    expect(await ended("early", false)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("GET events/stream begins after the given cursor, and with `proof` each event has the line that its hash covers [D9.proof]", async () => {
    await placed();
    const [first] = (await events()).items;
    const stream = await open(`?after=${first?.cursor}&proof=1`);
    const [frame] = await stream.until("mark");
    expect(frame?.data).toEqual((await events(`?after=${first?.cursor}&proof=1`)).items[0]);
  });

  test("`types` leaves the others out, and the mark every 15 seconds moves the cursor past them [D9.streamMarks]", async () => {
    const stream = await open("?types=order.cancelled");
    const [start] = await stream.until("mark");
    expect(start?.data).toMatchObject({ cursor: (await events()).next, live: true });
    const order_uuid = await placed();
    const { next } = await events();
    await service.time.pass(MARK_MS);
    expect((await stream.next())?.data).toMatchObject({ cursor: next, live: true });
    await service.order({ execution_type: "LIMIT_CANCEL", order_uuid });
    expect((await stream.next())?.event).toBe("order.cancelled");
  });

  test("each page that the filter left empty is a mark that is not live while the stream catches up [D9.streamMarks]", async () => {
    await service.database.query(
      `insert into journal select account_id, seq + n, at_ms, origin, key_id, nonce, command, event, hash
       from journal, generate_series(1, 6000) n where account_id = $1 and seq = 1`,
      [service.accountId],
    );
    await service.database.query("update accounts set version = 6001 where account_id = $1", [
      service.accountId,
    ]);
    const stream = await open("?types=order.cancelled");
    const marks = [await stream.next(), await stream.next()].map((frame) => frame?.data);
    expect(marks).toMatchObject([{ live: false }, { live: true }]);
    expect(marks.map((mark) => String(mark?.cursor).split("-")[0])).toEqual(["5000", "6001"]);
  });

  test("an event that another node decided is sent within a second, in its order", async () => {
    const shared = { ...service.database, close: async () => undefined };
    const other = await openHarness({ database: shared, seed: "another node" });
    onTestFinished(() => other.close());
    await other.quote("BTCUSD", 50_000, 50_000);
    const stream = await open();
    await stream.until("mark");
    const { signer } = service;
    expect((await other.order(LIMIT, { signer, nonce: "at the other node" })).status).toBe(200);
    await service.time.pass(1_000);
    expect((await stream.next())?.data.sequence).toBe(2);
    await placed();
    expect((await stream.next())?.data).toMatchObject({ sequence: 3, type: "order.resting" });
  });

  describe("with quotes [D9.streamQuotes]", () => {
    const quotes = async (stream: OpenStream): Promise<unknown> => (await stream.next())?.data;

    test("GET events/stream with quotes sends each pair at first, then the last change of each period, and nothing unchanged", async () => {
      await service.quote("EURUSD", 1.1, 1.2);
      const stream = await open("?types=none&quotes=EUR/USD,BTCUSD&every=0.5");
      const all = (await service.get("quotes")).json() as { data: readonly unknown[] };
      expect([await quotes(stream), await quotes(stream)]).toEqual(all.data);
      expect((await stream.next())?.event).toBe("mark");
      await service.quote("BTCUSD", 50_001, 50_002);
      await service.quote("BTCUSD", 50_003, 50_004);
      await service.time.pass(500);
      expect(await quotes(stream)).toMatchObject({ tradePair: "BTCUSD", bid: 50_003, ask: 50_004 });
      await service.time.pass(500);
      await service.quote("EURUSD", 1.3, 1.4);
      await service.time.pass(500);
      expect(await quotes(stream)).toMatchObject({ tradePair: "EURUSD", bid: 1.3, isStale: false });
    });

    test("a quote that grows old is sent again as stale", async () => {
      const stream = await open("?types=none&quotes=BTCUSD&every=60");
      await stream.until("mark");
      await service.time.pass(600_000);
      const frames = [await stream.next(), await stream.next()];
      expect(frames.find((frame) => frame?.event === "quote")?.data).toMatchObject({
        bid: 50_000,
        isStale: true,
      });
    });
  });

  describe("and ends with its reason and its cursor [D9.streamEnds]", () => {
    const endOf = async (stream: OpenStream) => {
      const frames = await stream.until("end");
      expect(await stream.next()).toBeNull();
      return frames.at(-1)?.data;
    };

    test.each([
      ["revoked", "revoked_at_ms = 1"],
      ["paused", "paused_at_ms = 1"],
      ["expired", "expires_at_ms = 1"],
      ["address", "addresses = '{10.0.0.0/8}'"],
    ])(
      "a stream ends as %s when the key is on any node, without an event after",
      async (reason, set) => {
        const signer = await service.newKey();
        const stream = await open("", { signer });
        await stream.until("mark");
        const { next } = await events();
        await service.database.query(`update keys set ${set} where key_id = $1`, [signer.keyId]);
        await placed();
        expect(await endOf(stream)).toEqual({ reason, cursor: next });
        expect((await openStream(service, "", { signer })).response.statusCode).toBe(401);
      },
    );

    test("a stream ends as revoked while nothing happens on the account", async () => {
      const signer = await service.newKey();
      const stream = await open("", { signer });
      await stream.until("mark");
      await service.keys.revoke(signer.keyId);
      await service.time.pass(1_000);
      expect(await endOf(stream)).toMatchObject({ reason: "revoked" });
    });

    test("a stream ends as accountClosed after the event of the closing, also where `types` leaves it out", async () => {
      const accountId = await service.newAccount();
      const signer = await service.newKey({ accountId });
      const all = await open("", { signer });
      const few = await open("?types=order.filled", { signer });
      await Promise.all([all.until("mark"), few.until("mark")]);
      await service.accounts.close(accountId);
      expect((await all.next())?.event).toBe("account.closed");
      expect(await endOf(all)).toMatchObject({ reason: "accountClosed" });
      expect(namesOf(await few.until("end"))).toEqual(["end"]);
    });

    test("a stream ends as age after an hour", async () => {
      const stream = await open();
      await stream.until("mark");
      await service.time.pass(3_600_000);
      expect(await endOf(stream)).toEqual({ reason: "age", cursor: (await events()).next });
    });
  });
});

test("a stream ends with `restart` when the service stops, and does not hold it up [D9.streamEnds]", async () => {
  const service = await openHarness();
  const stream = await openStream(service);
  await stream.until("mark");
  const closing = service.close();
  const frames = await stream.until("end");
  expect(frames.at(-1)?.data).toMatchObject({ reason: "restart" });
  await closing;
  expect(await stream.next()).toBeNull();
});
