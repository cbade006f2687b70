import { randomUUID } from "node:crypto";
import { parseLineEvent } from "@propgate/core";
import { openStandIn, type StandIn } from "@propgate/stand-in";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { until } from "../../../../test/eventually.ts";
import { createSeededChance } from "../../../base/src/random.ts";
import { readJournal } from "../../../ledger/src/storage/journal/journal-store.ts";
import { createLinkedAccountStore } from "../../../ledger/src/storage/stores/network/linked-account-store.ts";
import { verifyJournal } from "../../../ledger/src/trading/journal/verify-journal.ts";
import { TEST_NOON } from "../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import {
  type BenchAccount,
  linkBenchAccount,
  type OrderBench,
  openOrderBench,
  type TradeBody,
} from "../../../server/src/testing/order-bench.ts";
import { type AccountPolls, createAccountPolls } from "../desk/account-poll.ts";
import { createFailureLog } from "../desk/failure-log.ts";
import { createLimitReader } from "../desk/limit-reader.ts";
import { createPairBook } from "../desk/pair-book.ts";
import { createParsedReadings } from "../desk/parsed-readings.ts";
import { createValidatorClient } from "../upstream/validator-client.ts";

const BUY = { execution_type: "MARKET", trade_pair: "BTCUSDC", order_type: "LONG", value: 5_000 };
const ENTRY = { ...BUY, execution_type: "LIMIT", limit_price: 49_000, stop_loss: 47_000 };
const STEPS = 40;

/** Every fill and every closed position of the validator has one line, whichever process read it, and however often. */
await describeOnEachDatabase("the journal of a linked account [D13.observed]", (database) => {
  const time = createManualTime(TEST_NOON);
  const faults: unknown[] = [];
  let standIn: StandIn;
  let account: BenchAccount;
  const benches: OrderBench[] = [];
  beforeAll(async () => {
    standIn = await openStandIn({ seed: 21, clock: time.clock });
    await standIn.control.setCooldown(0);
    return async () => {
      await Promise.all(benches.map((bench) => bench.close()));
      await standIn.close();
    };
  });
  beforeEach(async () => {
    await price(50_000);
    account = await linkBenchAccount({ database: database(), standIn });
  });

  const price = (at: number) => standIn.control.setPrices({ BTCUSDC: { bid: at, ask: at } });
  /** The polls of one process. */
  const node = (): AccountPolls => {
    const { clock, timer } = time;
    const onFault = (cause: unknown): void => void faults.push(cause);
    const validator = createValidatorClient({
      url: standIn.validatorUrl,
      key: standIn.keys.validator,
      clock,
      timer,
      limits: { failuresMax: 1_000_000 },
    });
    return createAccountPolls({
      store: createLinkedAccountStore(database()),
      validator,
      limits: createLimitReader({ validator, clock }),
      pairs: createPairBook({ validator, clock, timer, onFault }),
      parsed: createParsedReadings(),
      clock,
      holder: randomUUID(),
      failures: createFailureLog({ info: () => undefined, warn: () => undefined }),
      onFault,
      onStored: () => Promise.resolve(),
    });
  };
  const desk = (): OrderBench => {
    const bench = openOrderBench({ database: database(), standIn, time });
    benches.push(bench);
    return bench;
  };
  /** Ends every held lease, as if its time had passed. */
  const endLease = () =>
    database().query(
      "update linked_accounts set lease_until_ms = 0 where lease_holder is not null",
    );
  const read = async (polls: AccountPolls) => {
    await time.pass(5_000);
    return polls.start(account.id, null).result;
  };
  /**
   * Places an order and lets time pass until the call ends, because the order may wait for another reader of the
   * account.
   */
  const place = async (bench: OrderBench, trade: TradeBody): Promise<void> => {
    let isOver = false;
    const placed = bench.place(account, trade).finally(() => {
      isOver = true;
    });
    await until(async () => {
      await time.pass(20);
      return isOver;
    });
    await placed;
  };
  const lines = async () => {
    const options = { accountId: account.id, afterSequence: 0, limit: 10_000 };
    const entries = await readJournal(database(), options);
    return entries.map((entry) => {
      const event = parseLineEvent(JSON.stringify(entry.event));
      if (!("observed" in event)) throw new Error("a line that was decided");
      return { ...entry, type: event.type, data: event.data };
    });
  };
  const namesOf = async (type: string, field: string) =>
    (await lines()).filter((line) => line.type === type).map(({ data }) => String(data[field]));

  /** Expects each fill and each closed position of the validator once in the journal, and a valid hash chain. */
  const expectOnce = async () => {
    const subaccount = await standIn.control.subaccount(account.hotkey);
    const positions = subaccount?.positions ?? [];
    const fills = positions.flatMap(({ orders }) => orders.map(({ uuid }) => uuid));
    const closed = positions.filter(({ closeMs }) => closeMs !== null).map(({ uuid }) => uuid);
    expect((await namesOf("orderFilled", "orderUuid")).toSorted()).toEqual(fills.toSorted());
    expect((await namesOf("positionClosed", "positionUuid")).toSorted()).toEqual(closed.toSorted());
    const times = (await lines()).map(({ atMs }) => atMs);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(await verifyJournal(database(), account.id)).toMatchObject({
      events: times.length,
      broken: [],
    });
    expect(faults).toEqual([]);
  };

  test("a process that is replaced while it reads adds no second line, and loses none", async () => {
    const [one, two, orders] = [node(), node(), desk()];
    expect(await read(one)).toBe("stored");
    await place(orders, BUY);
    await place(orders, { execution_type: "FLAT_ALL" });
    await place(orders, BUY);
    await standIn.control.addFault({
      call: "dashboard",
      hotkey: account.hotkey,
      times: 1,
      fault: { kind: "held", when: "after" },
    });
    await price(51_000);
    const seen = (await standIn.control.faults()).length;
    const late = read(one);
    await until(async () => (await standIn.control.faults()).length > seen);
    await endLease();
    await place(orders, { execution_type: "FLAT_ALL" });
    expect(await read(two)).toBe("stored");
    await standIn.control.release();
    expect(await late).toBe("failed");
    expect(await read(one)).toBe("stored");
    await expectOnce();
  });

  test("orders, prices, lost leases and restarts in any order leave each fill with one line", async () => {
    const chance = createSeededChance("observed once");
    let nodes = [node(), node()];
    const orders = [desk(), desk()];
    const pick = <Item>(items: readonly Item[]): Item => {
      const item = items[(chance.bytes(1)[0] ?? 0) % items.length];
      if (item === undefined) throw new Error("one of some");
      return item;
    };
    const steps: readonly (() => Promise<unknown>)[] = [
      () => place(pick(orders), BUY),
      () => place(pick(orders), { ...BUY, order_type: "SHORT", value: 2_000 }),
      () => place(pick(orders), ENTRY),
      () => place(pick(orders), { execution_type: "FLAT_ALL" }),
      () => place(pick(orders), { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" }),
      () => price(pick([46_500, 48_500, 50_000])),
      () => Promise.all([read(nodes[0] as AccountPolls), read(nodes[1] as AccountPolls)]),
      async () => {
        const reading = read(pick(nodes));
        await endLease();
        await Promise.all([reading, read(pick(nodes))]);
      },
      async () => {
        nodes = [node(), node()];
      },
    ];
    for (let step = 0; step < STEPS; step += 1) {
      await pick(steps)();
      await time.pass(10);
    }
    await read(node());
    await read(node());
    await expectOnce();
    const keyed = (await lines()).filter(({ origin }) => origin === "key");
    expect(keyed.length).toBeGreaterThan(0);
  });
});
