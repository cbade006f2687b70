import { createHash } from "node:crypto";
import type { EventsPage } from "@propgate/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectDescribedAnswer } from "../../../testing/described-answer.ts";
import { type CallOptions, type Harness, openHarness, START_MS } from "../../../testing/harness.ts";

const MARKET = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.5,
  stop_loss: 45_000,
} as const;
const LIMIT = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.1,
  limit_price: 40_000,
} as const;

describe("GET events answers 200 [D9.events]", () => {
  let service: Harness;
  const open = async () => {
    service = await openHarness();
    await service.quote("BTCUSD", 50_000, 50_000);
    expect((await service.order(MARKET, { nonce: "the order" })).status).toBe(200);
    expect((await service.order(LIMIT)).status).toBe(200);
    return () => service.close();
  };

  const events = async (query = "", options?: CallOptions): Promise<EventsPage> => {
    const reply = await service.get(`events${query}`, options);
    expectDescribedAnswer("getEvents", reply);
    const { data } = reply.json() as { data: EventsPage };
    return data;
  };
  const typesOf = ({ items }: EventsPage) => items.map(({ type }) => type);

  describe("of what has happened", () => {
    beforeAll(open);

    test("GET events answers the account's life in order, from its opening on, each event once", async () => {
      const { items, next, head } = await events();
      expect(items.map(({ sequence, type }) => [sequence, type])).toEqual([
        [1, "account.opened"],
        [2, "order.filled"],
        [3, "legs.attached"],
        [4, "order.resting"],
      ]);
      expect(items[1]).toMatchObject({
        id: `evt_${service.accountId.replaceAll("-", "")}_2`,
        atMs: START_MS,
        dueMs: null,
        cause: {
          by: "key",
          keyId: service.signer.keyId,
          nonce: "the order",
          command: "placeMarket",
        },
        data: { tradePair: "BTCUSD", direction: "LONG", effect: "open", quantity: 0.5, fee: 7.5 },
      });
      expect(head.sequence).toBe(4);
      expect(next).toBe(`4-${head.hash.slice(0, 32)}`);
      expect(items.at(-1)?.cursor).toBe(next);
    });

    test("pages continue at `next` until it is the head [D9.cursor]", async () => {
      const seen: number[] = [];
      let after = "0";
      for (;;) {
        const { items, next, head } = await events(`?after=${after}&limit=1`);
        seen.push(...items.map(({ sequence }) => sequence));
        after = next;
        if (next === `${head.sequence}-${head.hash.slice(0, 32)}`) break;
      }
      expect(seen).toEqual([1, 2, 3, 4]);
      expect(await events(`?after=${after}`)).toMatchObject({ items: [], next: after });
    });

    test("a bare sequence is a cursor, and so is the place before the first event [D9.cursor]", async () => {
      expect(typesOf(await events("?after=3"))).toEqual(["order.resting"]);
      const start = `0-${"0".repeat(32)}`;
      expect((await events(`?after=${start}`)).items).toHaveLength(4);
    });

    test("`types` leaves the others out, and `next` moves past them", async () => {
      const page = await events("?types=order.filled,order.cancelled");
      expect(typesOf(page)).toEqual(["order.filled"]);
      expect(page.next).toMatch(/^4-/);
      expect(await events("?types=pro.offered")).toMatchObject({ items: [], next: page.next });
      const first = await events("?types=order.resting,order.filled&limit=1");
      expect([typesOf(first), first.next.split("-")[0]]).toEqual([["order.filled"], "2"]);
    });

    test("a client computes every hash up to the head by itself with `proof` [D9.proof]", async () => {
      const { items, head } = await events("?proof=1");
      let before: Buffer = Buffer.alloc(32);
      for (const { proof, sequence, cursor } of items) {
        const hash = createHash("sha256")
          .update(before)
          .update(proof?.line ?? "")
          .digest();
        expect(proof?.hash).toBe(hash.toString("hex"));
        expect(cursor).toBe(`${sequence}-${hash.toString("hex").slice(0, 32)}`);
        const columns: unknown[] = JSON.parse(proof?.line.split("\n")[0] ?? "");
        expect(columns.slice(0, 2)).toEqual([service.accountId, sequence]);
        before = hash;
      }
      expect(head.hash).toBe(before.toString("hex"));
    });
  });

  describe("and what happens next", () => {
    beforeEach(open);

    test("every signed answer names the cursor of the version that it shows [D9.accountVersion]", async () => {
      const { next } = await events();
      for (const read of ["account", "positions", "orders", "trades", "payouts", "instruments"]) {
        const { headers } = await service.get(read);
        expect([read, headers["x-service-account-version"]]).toEqual([read, next]);
      }
      const refused = await service.order({ ...LIMIT, limit_price: "x" });
      expect([refused.status, refused.headers["x-service-account-version"]]).toEqual([400, next]);
      const placed = await service.order(LIMIT);
      const { items } = await events(`?after=${next}`);
      expect(placed.headers["x-service-account-version"]).toBe(items[0]?.cursor);
      const unsigned = await service.get("account", {
        headers: { "X-Service-Signature": "v1=AA==" },
      });
      expect([unsigned.status, unsigned.headers["x-service-account-version"]]).toEqual([
        401,
        undefined,
      ]);
    });

    test("`wait` ends with the next event, and not before [D9.wait]", async () => {
      const { next } = await events();
      let isAnswered = false;
      const waiting = events(`?after=${next}&wait=25`).then((page) => {
        isAnswered = true;
        return page;
      });
      // The next two requests are answered after the poll was admitted, so the poll waits by then.
      await service.get("account");
      await service.get("account");
      expect(isAnswered).toBe(false);
      await service.order(LIMIT);
      expect(typesOf(await waiting)).toEqual(["order.resting"]);
    });

    test("polls that wait hold no place of the expensive reads [D9.wait] [D13.expensiveReads]", async () => {
      const { next } = await events();
      const waiting = Array.from({ length: 3 }, () => events(`?after=${next}&wait=25`));
      expect((await service.get("order-history")).status).toBe(200);
      expect((await service.get("fills")).status).toBe(200);
      await service.order(LIMIT);
      for (const page of await Promise.all(waiting)) {
        expect(typesOf(page)).toEqual(["order.resting"]);
      }
    });

    test("`wait` with `types` goes on after an event of another type [D9.wait]", async () => {
      const { next } = await events();
      const waiting = events(`?after=${next}&wait=25&types=order.cancelled`);
      const placed = await service.order(LIMIT);
      const { data } = placed.json() as { data: { order_uuid: string } };
      const order_uuid = data.order_uuid;
      await service.order({ execution_type: "LIMIT_CANCEL", order_uuid });
      const { items } = await waiting;
      expect(items.map(({ type, sequence }) => [type, sequence])).toEqual([
        ["order.cancelled", Number(next.split("-")[0]) + 2],
      ]);
    });

    test("`wait` that passes without an event is an empty page [D9.wait]", async () => {
      const { next } = await events();
      const waiting = events(`?after=${next}&wait=2`);
      await service.get("account");
      await service.time.pass(2_000);
      expect(await waiting).toMatchObject({ items: [], next });
    });
  });
});

test("the wait of a client that is gone ends [D9.wait]", async () => {
  const service = await openHarness();
  const waiting = service.get("events?after=1&wait=25");
  const gone = waiting.then(
    () => "answered",
    () => "gone",
  );
  await service.get("account");
  // Closes the connections of the client, and resolves when no request is open.
  await service.close();
  expect(await gone).toBe("gone");
});
