import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { ERRORS } from "@propgate/contract";
import { type AccountId, orderUuid, pairId, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { until } from "../../../../../../test/eventually.ts";
import { systemTimer } from "../../../../../base/src/clock.ts";
import {
  storeNonce,
  TEST_KEY,
  TEST_NOON,
} from "../../../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../../../server/src/testing/each-database.ts";
import { linkMadeSubaccount } from "../../../../../server/src/testing/made-account-link.ts";
import { queryPlans } from "../../../../../server/src/testing/query-plans.ts";
import { makeTemporaryFolder } from "../../../../../server/src/testing/temporary-folder.ts";
import { createReceiptDesk } from "../../../trading/receipts/receipt-desk.ts";
import type { Database } from "../../databases/database.ts";
import { openDatabase } from "../../databases/open-database.ts";
import type { WriteFate } from "../../rows/receipt-store-port.ts";
import type { NewUpstreamOrder, OrderEnd } from "../../rows/upstream-order.ts";
import { createReceiptStore } from "../receipt-store.ts";
import { createLinkedAccountStore } from "./linked-account-store.ts";
import { createUpstreamOrderStore } from "./upstream-order-store.ts";

const OVERDUE_MS = 15_000;
const LATER_MS = 100 * OVERDUE_MS;
const LEASE_MS = 60_000;
const ENDED_AT = unixMs(TEST_NOON + 7);
const SENDER = { holder: "one", forMs: LEASE_MS, sentUntilMs: unixMs(TEST_NOON + 60_000) };

const signedOrder = (account: AccountId, nonce: string): NewUpstreamOrder => ({
  orderUuid: orderUuid(randomUUID()),
  accountId: account,
  request: { keyId: TEST_KEY, nonce },
  executionType: "MARKET",
  tradePair: pairId("BTCUSDC"),
  command: '{"type":"placeOrder"}',
  createdAtMs: TEST_NOON,
});

const completed = (order: NewUpstreamOrder): OrderEnd => ({
  orderUuid: order.orderUuid,
  accountId: order.accountId,
  request: order.request,
  state: "completed",
  endedAtMs: ENDED_AT,
  receipt: { ok: true, result: '{"success":true}' },
});

const failed = (order: NewUpstreamOrder, error: string): OrderEnd => ({
  ...completed(order),
  state: "failed",
  receipt: { ok: false, status: 400, error, refusalCode: "noRoom" },
});

/** Finds a receipt long after it is overdue. */
const askOn = (database: Database, nonce: string): Promise<WriteFate | null> =>
  createReceiptDesk({
    store: createReceiptStore(database),
    clock: { now: () => unixMs(TEST_NOON + LATER_MS) },
    timer: systemTimer,
    overdueAfterMs: OVERDUE_MS,
    onFault(cause) {
      throw cause;
    },
  }).find({ keyId: TEST_KEY, nonce });

/** True when a statement waits for a lock. In the embedded database, statements wait in turn for its one connection. */
async function isWaiting(database: Database): Promise<boolean> {
  if (database.kind === "pglite") return true;
  const waiting = await database.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return waiting.length > 0;
}

/** A database whose next transaction does its work and then waits for `commit`. */
function heldBeforeCommit(database: Database): {
  readonly on: Database;
  readonly isDone: Promise<void>;
  commit(): void;
} {
  const done = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  return {
    on: {
      ...database,
      transaction: (work, limits) =>
        database.transaction(async (transaction) => {
          const value = await work(transaction);
          done.resolve();
          await release.promise;
          return value;
        }, limits),
    },
    isDone: done.promise,
    commit: () => release.resolve(),
  };
}

await describeOnEachDatabase("orders to a validator [D9.receipts]", (database) => {
  const orders = () => createUpstreamOrderStore(database());
  const accounts = () => createLinkedAccountStore(database());
  const ask = (nonce: string) => askOn(database(), nonce);
  const begun = async (nonce: string, holder = SENDER) => {
    const order = signedOrder(await linkMadeSubaccount(database()), nonce);
    await storeNonce(database(), nonce);
    expect(await orders().begin(order, holder)).toBe("begun");
    return order;
  };
  /** Ends all orders that an earlier test left. */
  const endAll = () =>
    database().query(
      `update upstream_orders set state = 'never', ended_at_ms = 1, lease_holder = null,
         lease_until_ms = null where state = 'sending'`,
    );

  test("an order that is being sent is pending at any age, and its end is its receipt", async () => {
    const order = await begun("sent");
    expect(await accounts().find(order.accountId)).toMatchObject({
      version: 1,
      behindSinceMs: TEST_NOON,
    });
    expect(await ask("sent")).toMatchObject({ fate: "pending" });
    expect(await orders().end(completed(order))).toBe(true);
    expect(await ask("sent")).toMatchObject({ fate: "accepted", result: '{"success":true}' });
    expect(await accounts().find(order.accountId)).toMatchObject({
      revision: 2,
      behindSinceMs: ENDED_AT,
    });
  });

  test("the refusal of a validator is the receipt, with its text and code", async () => {
    const order = await begun("refused");
    expect(await orders().end(failed(order, "No \0 room\u2028"))).toBe(true);
    expect(await ask("refused")).toMatchObject({
      fate: "rejected",
      status: 400,
      error: "No \ufffd room\u2028",
      refusalCode: "noRoom",
    });
  });

  test("a reading during which an order was sent counts as one from before the order", async () => {
    const id = await linkMadeSubaccount(database());
    await accounts().takeLease(id, "reader", LEASE_MS);
    const order = signedOrder(id, "during");
    await storeNonce(database(), "during");
    expect(await orders().begin(order, SENDER)).toBe("begun");
    // This time is later by the clock of the reader, which is ahead of the sender's.
    const readAtMs = unixMs(TEST_NOON + 60_000);
    const written = { readings: "{}", pairs: [], readAtMs, records: [], lines: null };
    const reading = { accountId: id, holder: "reader", ...written };
    await accounts().storeReading({ ...reading, behindSinceMs: null, status: "active" });
    expect(await accounts().find(id)).toMatchObject({
      readAtMs: TEST_NOON,
      behindSinceMs: TEST_NOON,
    });
    await accounts().takeLease(id, "reader", LEASE_MS);
    await accounts().storeReading({ ...reading, behindSinceMs: TEST_NOON, status: "active" });
    expect(await accounts().find(id)).toMatchObject({ readAtMs });
    // The order's end is later than that reading, although by the sender's clock it is earlier.
    expect(await orders().end(completed(order))).toBe(true);
    expect(await accounts().find(id)).toMatchObject({ readAtMs, behindSinceMs: readAtMs });
  });

  test("a second end changes nothing", async () => {
    const order = await begun("twice");
    const ends = await Promise.all([
      orders().end(completed(order)),
      orders().end(failed(order, "no")),
      orders().end({ ...failed(order, "lost"), state: "never" }),
    ]);
    expect(ends.filter((ended) => ended)).toHaveLength(1);
    const [first, fate] = [ends.indexOf(true), await ask("twice")];
    expect(fate).toMatchObject(first === 0 ? { fate: "accepted" } : { fate: "rejected" });
    expect(await accounts().find(order.accountId)).toMatchObject({ revision: 2 });
    expect(await orders().end(completed(order))).toBe(false);
    expect(await ask("twice")).toEqual(fate);
  });

  test("an order is not ended on another account, and an unknown one not at all", async () => {
    const order = await begun("elsewhere");
    const other = await linkMadeSubaccount(database());
    expect(await orders().end({ ...completed(order), accountId: other })).toBe(false);
    expect(await orders().end(completed(signedOrder(other, "unknown")))).toBe(false);
    expect(await ask("elsewhere")).toMatchObject({ fate: "pending" });
    expect(await accounts().find(other)).toMatchObject({ version: 1, behindSinceMs: null });
  });

  test("the same order is begun once, also by ten processes at once and after its end", async () => {
    const order = signedOrder(await linkMadeSubaccount(database()), "once");
    await storeNonce(database(), "once");
    const tries = Array.from({ length: 10 }, () => orders().begin(order, SENDER));
    expect((await Promise.all(tries)).filter((end) => end === "begun")).toHaveLength(1);
    await orders().end(completed(order));
    expect(await orders().begin(order, SENDER)).toBe("known");
  });

  test("an order whose receipt was closed is not begun", async () => {
    const order = signedOrder(await linkMadeSubaccount(database()), "closed");
    await storeNonce(database(), "closed");
    expect(await ask("closed")).toMatchObject({ error: ERRORS.notCarriedOut.text });
    expect(await orders().begin(order, SENDER)).toBe("notCarriedOut");
    expect(await orders().end(completed(order))).toBe(false);
    expect(await accounts().find(order.accountId)).toMatchObject({ behindSinceMs: null });
  });

  test.each(["the order is begun", "the receipt is closed"])(
    "the other waits for the commit when %s first",
    async (first) => {
      const nonce = `held ${first}`;
      const order = signedOrder(await linkMadeSubaccount(database()), nonce);
      await storeNonce(database(), nonce);
      const begin = (on: Database) => createUpstreamOrderStore(on).begin(order, SENDER);
      const held = heldBeforeCommit(database());
      const one = first === "the order is begun" ? begin(held.on) : askOn(held.on, nonce);
      await held.isDone;
      const other = first === "the order is begun" ? ask(nonce) : begin(database());
      // Without the lock, the other call would end here, without the row of the first one.
      await until(() => isWaiting(database()));
      held.commit();
      const ends = await Promise.all([one, other]);
      expect(ends).toMatchObject(
        first === "the order is begun"
          ? ["begun", { fate: "pending" }]
          : [{ fate: "rejected" }, "notCarriedOut"],
      );
      await endAll();
    },
  );

  test("an order is either begun or closed when both happen at once", async () => {
    const account = await linkMadeSubaccount(database());
    const nonces = Array.from({ length: 200 }, (_, index) => `race-${index}`);
    for (const nonce of nonces) await storeNonce(database(), nonce);
    const seen = await Promise.all(
      nonces.map(async (nonce, index) => {
        const order = signedOrder(account, nonce);
        const begin = () => orders().begin(order, SENDER);
        const ends =
          index % 2 === 0
            ? await Promise.all([begin(), ask(nonce)])
            : await Promise.all([ask(nonce), begin()]).then(([fate, end]) => [end, fate] as const);
        return { nonce, end: ends[0], fate: ends[1]?.fate };
      }),
    );
    for (const { nonce, end, fate } of seen) {
      expect([nonce, end, fate]).toEqual([
        nonce,
        ...(end === "begun" ? ["begun", "pending"] : ["notCarriedOut", "rejected"]),
      ]);
    }
    await endAll();
  });

  test("a rejection of the same nonce does not close an order that is being sent", async () => {
    await begun("rejected");
    const refusal = { status: 400, error: "no", refusalCode: null } as const;
    const write = { keyId: TEST_KEY, nonce: "rejected", ...refusal };
    await createReceiptStore(database()).closeWrites(
      [write, { ...write, nonce: "other" }],
      TEST_NOON,
    );
    await createReceiptStore(database()).closeUndecided(
      [{ ...write, admittedAtMs: TEST_NOON }],
      TEST_NOON,
    );
    expect(await ask("rejected")).toMatchObject({ fate: "pending" });
    const rows = await database().query("select 1 from receipts where nonce = 'other'", []);
    expect(rows).toHaveLength(1);
    await endAll();
  });

  test("an order of the pages has no receipt", async () => {
    const order = { ...signedOrder(await linkMadeSubaccount(database()), "none"), request: null };
    expect(await orders().begin(order, SENDER)).toBe("begun");
    expect(await orders().begin(order, SENDER)).toBe("known");
    expect(await orders().end(completed(order))).toBe(true);
    const rows = await database().query("select 1 from receipts where nonce = 'none'", []);
    expect(rows).toEqual([]);
  });

  test("orders of a process that was killed are taken over, each by one process", async () => {
    const account = await linkMadeSubaccount(database());
    const left = Array.from({ length: 100 }, (_, index) => ({
      ...signedOrder(account, `left-${index}`),
      createdAtMs: unixMs(TEST_NOON + index),
    }));
    for (const order of left) await orders().begin(order, { ...SENDER, forMs: 0 });
    const running = await begun("running");
    expect(await orders().countSending()).toEqual({ count: 101, oldestCreatedAtMs: TEST_NOON });

    const holders = ["two", "three", "four", "five"];
    const taken = await Promise.all(holders.map((one) => orders().takeOver(one, LEASE_MS, 15)));
    const uuids = taken.flat().map((order) => order.orderUuid);
    expect(new Set(uuids).size).toBe(uuids.length);
    expect(uuids).not.toContain(running.orderUuid);
    for (const share of taken) {
      const times = share.map((order) => order.createdAtMs);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
    // A process that finds rows locked by others takes the next rows, so some rows may remain for the last call.
    const rest = await orders().takeOver("six", LEASE_MS, 1_000);
    expect(new Set([...uuids, ...rest.map((order) => order.orderUuid)]).size).toBe(100);
    expect(uuids.length + rest.length).toBe(100);
    expect(await orders().takeOver("seven", LEASE_MS, 1_000)).toEqual([]);
    expect([...taken.flat(), ...rest].find((one) => one.orderUuid === left[0]?.orderUuid)).toEqual({
      ...left[0],
      state: "sending",
      sentUntilMs: SENDER.sentUntilMs,
      attempts: 1,
    });
    await endAll();
    expect(await orders().countSending()).toEqual({ count: 0, oldestCreatedAtMs: null });
  });

  test("orders whose lease is over are found by an index, however many others have no outcome", async () => {
    await database().query(`
      insert into upstream_orders (order_uuid, account_id, execution_type, command, created_at_ms, lease_holder,
        lease_until_ms)
      select gen_random_uuid()::text, gen_random_uuid(), 'MARKET', '{}', n, 'other', 1e13::bigint + n
      from generate_series(1, 3000) n`);
    await database().query("analyze upstream_orders");
    const plan = await queryPlans(database(), (on) =>
      createUpstreamOrderStore(on).takeOver("two", LEASE_MS, 50),
    );
    expect(plan).toMatch(
      /Index .*Scan .*upstream_orders_sending.*Index Cond: \(lease_until_ms <=/s,
    );
    expect(plan).not.toMatch(/Seq Scan on upstream_orders$/m);
    await endAll();
  });

  test("a lease is kept by its holder only, and only until the order ends", async () => {
    const order = await begun("kept", { ...SENDER, forMs: 0 });
    const keeps = async (holder: string, forMs: number) =>
      (await orders().extendLeases([order.orderUuid], holder, forMs)).has(order.orderUuid);
    expect(await keeps("one", 0)).toBe(true);
    expect(await orders().takeOver("two", LEASE_MS, 10)).toMatchObject([{ attempts: 1 }]);
    expect(await keeps("one", LEASE_MS)).toBe(false);
    expect(await keeps("two", 0)).toBe(true);
    expect(await orders().end(completed(order))).toBe(true);
    expect(await keeps("two", LEASE_MS)).toBe(false);
    expect(await orders().takeOver("three", LEASE_MS, 10)).toEqual([]);
  });

  test("orders begin and end while their account is read, and nothing waits for ever", async () => {
    const account = await linkMadeSubaccount(database());
    const work = Array.from({ length: 60 }, async (_, index) => {
      const order = signedOrder(account, `busy-${index}`);
      await storeNonce(database(), `busy-${index}`);
      await orders().begin(order, SENDER);
      await orders().end(completed(order));
    });
    const readings = Array.from({ length: 60 }, async (_, index) => {
      const holder = `reader-${index}`;
      if ((await accounts().takeLease(account, holder, LEASE_MS)) === null) return 0;
      await accounts().storeReading({
        accountId: account,
        holder,
        readings: `{"reading":${index}}`,
        pairs: [],
        behindSinceMs: null,
        readAtMs: unixMs(TEST_NOON + index),
        status: "active",
        records: [],
        lines: null,
      });
      return 1;
    });
    await Promise.all(work);
    const stored = (await Promise.all(readings)).reduce<number>((sum, one) => sum + one, 0);
    expect(await accounts().find(account)).toMatchObject({ revision: 1 + 60 + stored });
  });
});

describe("a service that is killed while it sends an order [D9.receipts]", () => {
  test("a service that is killed while it sends an order leaves a pending receipt, and the next one finds the order and ends it", async () => {
    const place = { databaseUrl: null, dataDir: await makeTemporaryFolder() };
    const first = await openDatabase(place);
    const order = signedOrder(await linkMadeSubaccount(first), "killed");
    await first.close();
    const script = fileURLToPath(
      new URL("../../../../../server/src/testing/upstream-worker.ts", import.meta.url),
    );
    const given = [place.dataDir, order.accountId, "killed", order.orderUuid];
    const child = spawn(process.execPath, ["--conditions=@propgate/source", script, ...given], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [, signal] = (await once(child, "close")) as [unknown, string | null];
    expect(signal).toBe("SIGKILL");

    const database = await openDatabase(place);
    const orders = createUpstreamOrderStore(database);
    expect(await askOn(database, "killed")).toMatchObject({ fate: "pending" });
    expect(await orders.begin(order, SENDER)).toBe("known");
    expect(await orders.takeOver("next", LEASE_MS, 10)).toMatchObject([
      { orderUuid: order.orderUuid, request: order.request, state: "sending" },
    ]);
    expect(await orders.end(completed(order))).toBe(true);
    expect(await askOn(database, "killed")).toMatchObject({ fate: "accepted" });
    await database.close();
  });
});
