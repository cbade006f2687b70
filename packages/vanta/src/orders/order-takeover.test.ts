import { randomUUID } from "node:crypto";
import { openStandIn, type StandIn } from "@propgate/stand-in";
import { beforeAll, expect, test } from "vitest";
import { eventually, until } from "../../../../test/eventually.ts";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import { TEST_NOON } from "../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import {
  awaitEndedReceipt,
  type BenchAccount,
  type BenchOptions,
  linkBenchAccount,
  type OrderBench,
  openOrderBench,
  type TradeBody,
} from "../../../server/src/testing/order-bench.ts";
import type { Gateway } from "../upstream/port.ts";

const LONG_BTC: TradeBody = {
  execution_type: "MARKET",
  trade_pair: "BTCUSDC",
  order_type: "LONG",
  value: 10_000,
};
const TIMES = { callMs: 400, resolveMs: 200, drainMs: 100 };
const LEASE_MS = 600_000;
const NOTHING = { status: () => new Promise<never>(() => undefined) };

/** The gateway of a process that is killed before it sends its order. */
const killedBefore = (gateway: Gateway): Gateway => ({
  ...gateway,
  ...NOTHING,
  submit: () => new Promise<never>(() => undefined),
});

/** The gateway of a process that is killed after it has sent its order. */
const killedAfter = (gateway: Gateway): Gateway => ({
  ...gateway,
  ...NOTHING,
  submit: (body, timeoutMs) => {
    void gateway.submit(body, timeoutMs);
    return new Promise<never>(() => undefined);
  },
});

await describeOnEachDatabase("orders of a process that ended", (database) => {
  const time = createManualTime(TEST_NOON);
  let standIn: StandIn;
  const benches: OrderBench[] = [];
  beforeAll(async () => {
    standIn = await openStandIn({ seed: 16, clock: time.clock });
    await standIn.control.setPrices({ BTCUSDC: { bid: 49_990, ask: 50_000 } });
    return async () => {
      await Promise.all(benches.map((bench) => bench.close()));
      await standIn.close();
    };
  });
  const open = (given: Partial<BenchOptions>): OrderBench => {
    const times = { ...TIMES, leaseMs: LEASE_MS, ...given.times };
    const opened = openOrderBench({ database: database(), standIn, time, ...given, times });
    benches.push(opened);
    return opened;
  };
  /** Opens a bench. With `wrap`, which changes the gateway, the bench counts as a process that is dead. */
  const bench = (wrap?: (gateway: Gateway) => Gateway): OrderBench =>
    open(wrap === undefined ? {} : { wrap, isDead: true });
  /** A bench with a changed database. */
  const benchOn = (changed: Partial<Database>): OrderBench =>
    open({ database: { ...database(), ...changed } });
  const account = (): Promise<BenchAccount> => linkBenchAccount({ database: database(), standIn });
  const arrivedAt = async ({ hotkey }: BenchAccount) =>
    (await standIn.control.submissions()).filter((one) => one.hotkey === hotkey).length;
  const leaseOf = async (nonce: string) => {
    const [row] = await database().query<{ ends: string; attempts: number }>(
      "select lease_until_ms as ends, attempts from upstream_orders where nonce = $1",
      [nonce],
    );
    if (row === undefined) throw new Error(`no order of ${nonce} has begun`);
    return { endsMs: Number(row.ends), attempts: row.attempts };
  };
  /** Shortens the lease of one order, as if time had passed in the database. */
  const passLease = (nonce: string, ms: number) =>
    database().query(
      "update upstream_orders set lease_until_ms = lease_until_ms - $2::bigint where nonce = $1",
      [nonce, ms],
    );
  /** Another process takes the order over after its lease, and finds its end. */
  const finish = async (others: readonly OrderBench[], nonce: string) => {
    const [first] = others;
    if (first === undefined) throw new Error("a process");
    await eventually(() => leaseOf(nonce));
    await passLease(nonce, LEASE_MS);
    await until(async () => {
      await Promise.all(others.map(({ desk }) => desk.takeOver()));
      return (await leaseOf(nonce)).attempts > 0;
    });
    return awaitEndedReceipt(first, nonce);
  };

  test("a process killed after the order left: two others find one end and send nothing", async () => {
    const mine = await account();
    const nonce = randomUUID();
    void bench(killedAfter).place(mine, LONG_BTC, nonce);
    const others = [bench(), bench()];
    await until(async () => (await arrivedAt(mine)) === 1);
    expect(await finish(others, nonce)).toMatchObject({ fate: "accepted" });
    expect(await arrivedAt(mine)).toBe(1);
    expect(others.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test("a process killed before the order left: the others ask again and again, send nothing and end nothing [D13.lastWord]", async () => {
    const mine = await account();
    const nonce = randomUUID();
    void bench(killedBefore).place(mine, LONG_BTC, nonce);
    const others = [bench(), bench()];
    await eventually(() => leaseOf(nonce));
    await passLease(nonce, LEASE_MS);
    await until(async () => {
      await time.pass(TIMES.callMs + TIMES.resolveMs);
      await Promise.all(others.map(({ desk }) => desk.takeOver()));
      return (await leaseOf(nonce)).attempts > 2;
    });
    expect(await others[0]?.receipt(nonce)).toMatchObject({ fate: "pending" });
    expect(await arrivedAt(mine)).toBe(0);
    expect(others.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test("orders that stay without an end hold no place: the end of a later one is found all the same [D13.lastWord]", async () => {
    const mine = await account();
    const lost = Array.from({ length: 5 }, () => randomUUID());
    for (const nonce of lost) {
      void bench(killedBefore).place(mine, LONG_BTC, nonce);
      await eventually(() => leaseOf(nonce));
      await passLease(nonce, LEASE_MS);
    }
    const nonce = randomUUID();
    void bench(killedAfter).place(mine, LONG_BTC, nonce);
    await until(async () => (await arrivedAt(mine)) === 1);
    await passLease(nonce, LEASE_MS);
    const small = open({ times: { ...TIMES, fatesMax: 2 } });
    expect(await awaitEndedReceipt(small, nonce)).toMatchObject({ fate: "accepted" });
    for (const one of lost) expect(await small.receipt(one)).toMatchObject({ fate: "pending" });
  });

  test("an order that is taken over while its last search ends is asked about again [D13.lastWord]", async () => {
    let taken = 0;
    const one = benchOn({
      async query(text, parameters) {
        const rows = await database().query(text, parameters);
        // The lease is free, and the search has not ended.
        const isLeft = text.includes("lease_holder = $2") && parameters?.[2] === 0;
        if (isLeft && taken === 0) {
          taken += 1;
          await one.desk.takeOver();
        }
        return rows as never;
      },
    });
    const subject = await account();
    const nonce = randomUUID();
    await standIn.control.addFault({
      call: "submit",
      hotkey: subject.hotkey,
      fault: { kind: "cut", when: "before" },
      times: 1,
    });
    await one.place(subject, LONG_BTC, nonce);
    await until(async () => {
      await time.pass(TIMES.callMs);
      await one.desk.takeOver();
      return (await leaseOf(nonce)).attempts >= 3;
    });
    expect(taken).toBe(1);
  });

  test("an answer that comes after another process found the end changes nothing", async () => {
    const mine = await account();
    const nonce = randomUUID();
    const answered = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const slow = bench((gateway) => ({
      ...gateway,
      async submit(body, timeoutMs) {
        const answer = await gateway.submit(body, timeoutMs);
        answered.resolve();
        await released.promise;
        return answer;
      },
    }));
    const placing = slow.place(mine, LONG_BTC, nonce);
    await answered.promise;
    const other = bench();
    const receipt = await finish([other], nonce);
    released.resolve();
    expect((await placing).answer).toEqual({ ok: false, rejection: { error: "unknownFate" } });
    expect(await slow.receipt(nonce)).toEqual(receipt);
    expect(receipt.fate).toBe("accepted");
    expect(await arrivedAt(mine)).toBe(1);
  });

  test("an order that takes longer than a lease stays with its process, which answers it", async () => {
    const mine = await account();
    await standIn.control.addFault({
      call: "submit",
      hotkey: mine.hotkey,
      fault: { kind: "held", when: "after" },
      times: 1,
    });
    const times = { callMs: 3 * LEASE_MS };
    const [one, other] = [open({ times }), open({ times })];
    const nonce = randomUUID();
    const placing = one.place(mine, LONG_BTC, nonce);
    await until(async () => (await arrivedAt(mine)) === 1);
    const passes = LEASE_MS / 2;
    for (let passed = 0; passed < 2 * LEASE_MS; passed += passes) {
      await passLease(nonce, passes);
      const { endsMs } = await leaseOf(nonce);
      await time.pass(passes);
      await until(async () => (await leaseOf(nonce)).endsMs > endsMs);
      await other.desk.takeOver();
    }
    await standIn.control.release(mine.hotkey);
    const { answer } = await placing;
    expect(answer.ok).toBe(true);
    expect(await other.receipt(nonce)).toMatchObject({ fate: "accepted" });
    expect(await arrivedAt(mine)).toBe(1);
  });

  test("an end that the database does not take is stored later, and the client is told that it is unknown", async () => {
    const mine = await account();
    let failures = 2;
    const one = benchOn({
      query: (text, values) => {
        if (!text.includes("ended as (") || failures === 0) return database().query(text, values);
        failures -= 1;
        return Promise.reject(new Error("the connection to the database was lost"));
      },
    });
    const { nonce, answer } = await one.place(mine, LONG_BTC);
    expect(answer).toEqual({ ok: false, rejection: { error: "unknownFate" } });
    expect(await awaitEndedReceipt(one, nonce)).toMatchObject({ fate: "accepted" });
    expect([failures, one.faults.length, await arrivedAt(mine)]).toEqual([0, 2, 1]);
  });

  test("an order whose time is over before it could be sent is not sent", async () => {
    const mine = await account();
    const one = benchOn({
      transaction: async (work) => {
        const done = await database().transaction(work);
        await time.pass(TIMES.callMs);
        return done;
      },
    });
    const { nonce, answer } = await one.place(mine, LONG_BTC);
    expect(answer).toEqual({ ok: false, rejection: { error: "networkDown" } });
    expect(await one.receipt(nonce)).toMatchObject({ fate: "rejected", status: 500 });
    expect(await arrivedAt(mine)).toBe(0);
  });

  test("a request whose receipt was closed before is not sent", async () => {
    const mine = await account();
    const one = bench();
    const nonce = randomUUID();
    await database().query(
      `insert into receipts (key_id, nonce, decided_at_ms, status, error)
       values ('pk_receipts', $1, 1, 500, 'closed')`,
      [nonce],
    );
    const { answer } = await one.place(mine, LONG_BTC, nonce);
    expect(answer).toEqual({ ok: false, rejection: { error: "notCarriedOut" } });
    expect(await arrivedAt(mine)).toBe(0);
  });

  test("a stop lets a call end, sends nothing new, and leaves a longer call to the next process", async () => {
    const [mine, other] = [await account(), await account()];
    const stopping = open({ times: { callMs: 600_000 } });
    const fault = { kind: "held", when: "after" } as const;
    for (const { hotkey } of [mine, other]) {
      await standIn.control.addFault({ call: "submit", hotkey, fault, times: 1 });
    }
    const ending = stopping.place(mine, LONG_BTC);
    const nonce = randomUUID();
    const staying = stopping.place(other, LONG_BTC, nonce);
    await until(async () => (await arrivedAt(mine)) + (await arrivedAt(other)) === 2);
    const stopped = stopping.desk.stop();
    expect((await stopping.place(mine, LONG_BTC)).answer).toMatchObject({
      rejection: { error: "networkDown" },
    });
    await standIn.control.release(mine.hotkey);
    expect((await ending).answer.ok).toBe(true);
    await time.pass(TIMES.drainMs);
    await stopped;
    expect(await stopping.receipt(nonce)).toMatchObject({ fate: "pending" });
    await standIn.control.release(other.hotkey);
    await staying;
    expect(await arrivedAt(mine)).toBe(1);
  });
});
