import type { Account, Linked } from "@propgate/contract";
import { type AccountId, accountId } from "@propgate/core";
import { openStandIn, type StandIn } from "@propgate/stand-in";
import { afterEach, beforeAll, expect, test } from "vitest";
import { eventually, until } from "../../../../../test/eventually.ts";
import { openLog } from "../../../../base/src/log.ts";
import { systemChance } from "../../../../base/src/random.ts";
import type { Database } from "../../../../ledger/src/storage/databases/database.ts";
import type { PersonId } from "../../../../ledger/src/storage/rows/person-id.ts";
import { createEquityStore } from "../../../../ledger/src/storage/stores/equity-store.ts";
import { createLinkedAccountStore } from "../../../../ledger/src/storage/stores/network/linked-account-store.ts";
import { createUpstreamOrderStore } from "../../../../ledger/src/storage/stores/network/upstream-order-store.ts";
import { TEST_NOON } from "../../testing/counting-network.ts";
import { describeOnEachDatabase } from "../../testing/each-database.ts";
import { OWNER } from "../../testing/harness.ts";
import { createManualTime } from "../../testing/manual-time.ts";
import { type ComposedVanta, composeVanta, type VantaOptions } from "./compose-vanta.ts";
import { openVanta } from "./open-vanta.ts";

const SECOND_MS = 1_000;
const STEP_MS = 50;
/** A timeout that is longer than the time that any test passes. */
const LONG_MS = 600_000;
const NO_TIME = -1;

await describeOnEachDatabase("two processes that read linked accounts", (database) => {
  const time = createManualTime(TEST_NOON);
  const { clock, timer } = time;
  const logged: string[] = [];
  let standIn: StandIn;
  let one: ComposedVanta;
  let two: ComposedVanta;
  beforeAll(async () => {
    standIn = await openStandIn({ seed: 2, clock });
    await standIn.control.setPrices({ BTCUSDC: { bid: 49_990, ask: 50_000 } });
    [one, two] = [open(database()), open(database())];
    return async () => {
      await inTime(Promise.all([one.stop(), two.stop()]));
      await standIn.close();
    };
  });
  afterEach(() => standIn.control.clearFaults());

  const upstream = () =>
    openVanta(
      {
        validator: { url: standIn.validatorUrl, key: standIn.keys.validator },
        gateway: { url: standIn.gatewayUrl, key: standIn.keys.gateway },
        entity: standIn.entity,
      },
      // A wait for the validator ends only when its readers give up, because the timeout is longer.
      { clock, timer, upstreamLimits: { readTimeoutMs: LONG_MS } },
    );
  const open = (of: Database, given: Partial<VantaOptions> = {}): ComposedVanta =>
    composeVanta({
      upstream: upstream(),
      newAccountId: async () => accountId(systemChance.uuid()),
      linkedAccounts: createLinkedAccountStore(of),
      upstreamOrders: createUpstreamOrderStore(of),
      equity: createEquityStore(of),
      limits: {
        of: async () => ({ active: 1, max: null }),
        set: async () => undefined,
        runExclusively: (work) => work(),
      },
      clock,
      timer,
      chance: systemChance,
      log: openLog("info", { write: (line) => void logged.push(line) }),
      onFault: (cause) => void logged.push(String(cause)),
      ...given,
    });
  const newLinked = async (): Promise<{ id: AccountId; hotkey: string }> => {
    const { hotkey } = await standIn.control.addSubaccount({ assetClass: "all_markets" });
    const linked = await one.links.link({ subaccount: hotkey, ownerId: OWNER, profitSplit: 1 });
    if (!linked.ok) throw new Error(linked.refused);
    return { id: linked.accountId, hotkey };
  };
  const at = (accountId: AccountId) => ({ accountId, version: 1 });
  /** Lets time pass, in steps below every limit, until the work is done. */
  const inTime = async <Value>(work: Promise<Value>): Promise<Value> => {
    let isDone = false;
    const end = (): void => {
      isDone = true;
    };
    work.then(end, end);
    await until(async () => {
      await time.pass(STEP_MS);
      return isDone;
    });
    return work;
  };
  const read = async (by: ComposedVanta, id: AccountId): Promise<Account<Linked>> => {
    const reading = await by.network.account(at(id));
    if (!reading.ok) throw new Error(reading.error);
    return reading.value;
  };
  const account = (by: ComposedVanta, id: AccountId): Promise<Account<Linked>> =>
    inTime(read(by, id));
  const dashboards = async () => (await standIn.control.callCounts()).dashboard ?? 0;

  test("two processes that read linked accounts share one poll, however many readers they have", async () => {
    const { id } = await newLinked();
    const before = await dashboards();
    const readers = Array.from({ length: 20 }, () => [read(one, id), read(two, id)]);
    const all = await inTime(Promise.all(readers.flat()));
    expect(new Set(all.map((value) => value.account.currentEquity))).toEqual(new Set([100_000]));
    expect(all.every((value) => !value.meta.stale)).toBe(true);
    expect(await dashboards()).toBe(before + 1);
  });

  test("two processes that read linked accounts read everything again after a process that was killed while it read", async () => {
    const { id, hotkey } = await newLinked();
    const { number } = (await standIn.control.subaccount(hotkey)) ?? { number: Number.NaN };
    const submit = (order: Readonly<Record<string, string | number>>) =>
      upstream().gateway.submit({ subaccount_id: number, trade_pair: "BTCUSDC", ...order }, 5_000);
    const limit = {
      execution_type: "LIMIT",
      order_type: "LONG",
      quantity: 0.1,
      limit_price: 9_000,
    };
    const orderUuid = crypto.randomUUID();
    await submit({ ...limit, order_uuid: orderUuid });
    const ids = async (by: ComposedVanta) => {
      const orders = await by.network.pendingOrders(at(id));
      return orders.ok ? orders.value.map((order) => order.orderUuid) : orders.error;
    };
    expect(await ids(one)).toEqual([orderUuid]);
    await submit({ execution_type: "LIMIT_CANCEL", order_uuid: orderUuid });
    // The validator names the cancelled order in one answer only. Here a process gets that answer and is killed.
    const store = createLinkedAccountStore(database());
    const row = await store.takeLease(id, "killed", NO_TIME);
    const cursors = (JSON.parse(row?.readings ?? "") as { cursors: never }).cursors;
    const drained = await upstream().validator.dashboard(hotkey, cursors);
    expect(JSON.stringify(drained)).toContain(orderUuid);
    await time.pass(11 * SECOND_MS);
    expect(await ids(two)).toEqual([]);
    await time.pass(11 * SECOND_MS);
    expect(await ids(one)).toEqual([]);
  });

  test("two processes that read linked accounts poll every account in the background, and a failing one delays no other", async () => {
    // Accounts and orders of the other tests would be polled and counted too.
    for (const table of ["linked_accounts", "upstream_orders"]) {
      await database().query(`delete from ${table}`);
    }
    const linked = await Promise.all(Array.from({ length: 30 }, newLinked));
    const [bad] = linked;
    await standIn.control.addFault({
      call: "dashboard",
      ...(bad === undefined ? {} : { hotkey: bad.hotkey }),
      fault: { kind: "invalidJson" },
    });
    await time.pass(11 * SECOND_MS);
    const store = createLinkedAccountStore(database());
    const run = async () => {
      for (const by of [one, two]) for (const job of by.jobs) await job.run();
    };
    const rowsNow = () => Promise.all(linked.map(({ id }) => store.find(id)));
    const untried = async () => {
      await run();
      const rows = await rowsNow();
      return rows.filter((row) => row?.readings === null && row.failingSinceMs === null).length;
    };
    await eventually(async () => {
      expect(await untried()).toBe(0);
    });
    const before = await dashboards();
    const rows = await rowsNow();
    expect(rows.filter((row) => row?.readings === null)).toHaveLength(1);
    expect(rows.filter((row) => row?.failingSinceMs !== null)).toHaveLength(1);
    expect(await one.health()).toMatchObject({ failingAccounts: 1, ordersSending: 0 });
    // No account is polled again before its next poll is due.
    await run();
    expect(await dashboards()).toBe(before);
    const lines = logged.filter((line) => line.includes(String(bad?.id)));
    expect(lines.length).toBeGreaterThanOrEqual(1);
    expect(lines.length).toBeLessThanOrEqual(2);
  });

  test("two processes that read linked accounts answer recent readings as stale within seconds while the validator is slow", async () => {
    const { id } = await newLinked();
    await account(one, id);
    await standIn.control.addFault({ call: "dashboard", fault: { kind: "held", when: "before" } });
    await time.pass(11 * SECOND_MS);
    const beganAtMs = clock.now();
    expect((await account(one, id)).meta.stale).toBe(true);
    expect(clock.now() - beganAtMs).toBeLessThan(5_000);
    await standIn.control.release();
  });

  test("two processes that read linked accounts give up an order under way when they stop, and its fate is then unknown", async () => {
    const { id } = await newLinked();
    const stopped = open(database(), {
      upstream: { ...upstream(), orderTimes: { callMs: LONG_MS, drainMs: 200 } },
    });
    await standIn.control.addFault({ call: "submit", fault: { kind: "held", when: "after" } });
    const before = (await standIn.control.callCounts()).submit ?? 0;
    const flattened = stopped.network.flatten(id, "owner-7" as PersonId);
    const sent = async () => (await standIn.control.callCounts()).submit;
    await eventually(async () => {
      expect(await sent()).toBe(before + 1);
    });
    // The validator's answer is still held back when the network is stopped.
    await inTime(stopped.stop());
    expect(await flattened).toEqual({ ok: false, rejection: { error: "unknownFate" } });
    // Another process finds out the order's fate once the lease has ended.
    expect(await one.health()).toMatchObject({ ordersSending: 1 });
  });

  test("two processes that read linked accounts record the equity once a minute", async () => {
    const { id } = await newLinked();
    for (let poll = 0; poll < 8; poll += 1) {
      await account(one, id);
      await time.pass(11 * SECOND_MS);
    }
    const rows = await database().query<{ equity: string; floors: string }>(
      "select equity, floors from equity_points where account_id = $1",
      [id],
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(rows.length).toBeLessThanOrEqual(3);
    expect(rows[0]).toMatchObject({ equity: "100000000000" });
    expect(await one.readings.equity(at(id), "1D")).toMatchObject({
      points: expect.arrayContaining([expect.objectContaining({ equity: 100_000 })]),
    });
  });
});
