import { randomUUID } from "node:crypto";
import { openStandIn, type StandIn } from "@propgate/stand-in";
import { beforeAll, expect, test } from "vitest";
import { eventually } from "../../../../../test/eventually.ts";
import type { Database } from "../../storage/databases/database.ts";
import { describeOnEachDatabase } from "../../testing/each-database.ts";
import {
  type BenchAccount,
  endedReceipt,
  linkBenchAccount,
  type OrderBench,
  openOrderBench,
  type Trade,
} from "../../testing/order-bench.ts";
import type { Gateway } from "../upstream/port.ts";

const LONG_BTC: Trade = {
  execution_type: "MARKET",
  trade_pair: "BTCUSDC",
  order_type: "LONG",
  value: 10_000,
};
/** Leases that end soon, as after a process that was killed. */
const SHORT_LEASES = { callMs: 400, settleMs: 200, leaseMs: 400 };
const NOTHING = { status: () => new Promise<never>(() => undefined) };

/** The gateway of a process that is killed before its order leaves. */
const killedBefore = (gateway: Gateway): Gateway => ({
  ...gateway,
  ...NOTHING,
  submit: () => new Promise<never>(() => undefined),
});

/** The gateway of a process that is killed after its order left. */
const killedAfter = (gateway: Gateway): Gateway => ({
  ...gateway,
  ...NOTHING,
  submit: (body, timeoutMs) => {
    void gateway.submit(body, timeoutMs);
    return new Promise<never>(() => undefined);
  },
});

await describeOnEachDatabase("orders of a process that ended", (database) => {
  let standIn: StandIn;
  const benches: OrderBench[] = [];
  beforeAll(async () => {
    standIn = await openStandIn({ seed: 16 });
    await standIn.control.setPrices({ BTCUSDC: { bid: 49_990, ask: 50_000 } });
    return async () => {
      await Promise.all(benches.map((bench) => bench.close()));
      await standIn.close();
    };
  });
  /** A gateway of the test belongs to a process that is dead. */
  const bench = (wrap?: (gateway: Gateway) => Gateway): OrderBench => {
    const opened = openOrderBench({
      database: database(),
      standIn,
      times: { ...SHORT_LEASES, drainMs: 100 },
      ...(wrap === undefined ? {} : { wrap, isDead: true }),
    });
    benches.push(opened);
    return opened;
  };
  /** A bench whose database is changed by the test. */
  const benchOn = (changed: Partial<Database>): OrderBench => {
    const opened = openOrderBench({
      database: { ...database(), ...changed },
      standIn,
      times: SHORT_LEASES,
    });
    benches.push(opened);
    return opened;
  };
  const account = (): Promise<BenchAccount> => linkBenchAccount({ database: database(), standIn });
  const arrivedAt = async ({ hotkey }: BenchAccount) =>
    (await standIn.control.submissions()).filter((one) => one.hotkey === hotkey).length;
  const finish = async (desks: readonly OrderBench[], nonce: string) => {
    let isEnded = false;
    const [first] = desks;
    if (first === undefined) throw new Error("a desk");
    const receipt = endedReceipt(first, nonce).finally(() => {
      isEnded = true;
    });
    while (!isEnded) {
      await Promise.all(desks.map(({ desk }) => desk.takeOver()));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return receipt;
  };

  test.each([
    ["before", killedBefore, "rejected", 0],
    ["after", killedAfter, "accepted", 1],
  ] as const)(
    "a process killed %s the order left: two others find one end and send nothing",
    async (_when, wrap, fate, arrived) => {
      const mine = await account();
      const nonce = randomUUID();
      void bench(wrap).place(mine, LONG_BTC, nonce);
      const others = [bench(), bench()];
      await eventually(async () => {
        expect(await others[0]?.receipt(nonce)).toMatchObject({ fate: "pending" });
      });
      expect(await finish(others, nonce)).toMatchObject({ fate });
      expect(await arrivedAt(mine)).toBe(arrived);
      expect(others.flatMap(({ faults }) => faults)).toEqual([]);
    },
  );

  test("an answer that comes after another process found the end changes nothing", async () => {
    const mine = await account();
    const nonce = randomUUID();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = bench((gateway) => ({
      ...gateway,
      async submit(body, timeoutMs) {
        const answer = await gateway.submit(body, timeoutMs);
        await held;
        return answer;
      },
    }));
    const placing = slow.place(mine, LONG_BTC, nonce);
    const other = bench();
    await eventually(async () => {
      expect(await other.receipt(nonce)).toMatchObject({ fate: "pending" });
    });
    const receipt = await finish([other], nonce);
    release();
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
      fault: { kind: "slow", afterMs: 1_500 },
      times: 1,
    });
    const times = { ...SHORT_LEASES, callMs: 5_000 };
    const one = openOrderBench({ database: database(), standIn, times });
    const other = openOrderBench({ database: database(), standIn, times });
    benches.push(one, other);
    const placing = one.place(mine, LONG_BTC);
    let isAnswered = false;
    void placing.finally(() => {
      isAnswered = true;
    });
    while (!isAnswered) {
      await other.desk.takeOver();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const { answer, nonce } = await placing;
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
    expect(await endedReceipt(one, nonce)).toMatchObject({ fate: "accepted" });
    expect([failures, one.faults.length, await arrivedAt(mine)]).toEqual([0, 2, 1]);
  });

  test("an order whose time is over before it could be sent is not sent", async () => {
    const mine = await account();
    const one = benchOn({
      transaction: async (work) => {
        const done = await database().transaction(work);
        await new Promise((resolve) => setTimeout(resolve, SHORT_LEASES.callMs + 50));
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
    const stopping = openOrderBench({ database: database(), standIn, times: { drainMs: 600 } });
    const slow = (hotkey: string, afterMs: number) =>
      standIn.control.addFault({
        call: "submit",
        hotkey,
        fault: { kind: "slow", afterMs },
        times: 1,
      });
    await slow(mine.hotkey, 300);
    await slow(other.hotkey, 1_200);
    const ending = stopping.place(mine, LONG_BTC);
    const nonce = randomUUID();
    const staying = stopping.place(other, LONG_BTC, nonce);
    await eventually(async () => {
      expect(await arrivedAt(other)).toBe(1);
    });
    const stopped = stopping.desk.stop();
    expect((await stopping.place(mine, LONG_BTC)).answer).toMatchObject({
      rejection: { error: "networkDown" },
    });
    expect((await ending).answer.ok).toBe(true);
    await stopped;
    expect(await stopping.receipt(nonce)).toMatchObject({ fate: "pending" });
    await staying;
    await stopping.close();
    expect(await arrivedAt(mine)).toBe(1);
  });
});
