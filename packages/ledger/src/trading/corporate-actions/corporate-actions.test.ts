import {
  type AccountId,
  DAY_MS,
  evolve,
  orderUuid,
  price,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import { beforeEach, expect, test } from "vitest";
import { createSeededChance } from "../../../../base/src/random.ts";
import { TEST_NOON } from "../../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import {
  createManualEngine,
  type ManualEngine,
} from "../../../../server/src/testing/manual-engine.ts";
import {
  AAPL,
  newDividend,
  newSplit,
  nthActionId,
  SHARE_CATALOGUE,
} from "../../../../server/src/testing/share-market.ts";
import { BTCUSD } from "../../../../server/src/testing/small-market.ts";
import { PARTITIONS } from "../../storage/rows/partition.ts";
import { createCorporateActionStore } from "../../storage/stores/corporate-action-store.ts";
import { rebuildJournal } from "../journal/rebuild-journal.ts";
import { verifyJournal } from "../journal/verify-journal.ts";
import { createActionRunner } from "./action-runner.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MOMENT = unixMs(TEST_NOON + 5 * MINUTE_MS);
const OLGA = { by: "olga", isAgain: false };
const CHANCE = createSeededChance("corporate actions");

await describeOnEachDatabase("corporate actions", (database) => {
  const nodeAt = (now: UnixMs = TEST_NOON): ManualEngine =>
    createManualEngine(database(), { now, chance: CHANCE, instruments: SHARE_CATALOGUE });
  /** Opens an account that is long 100 shares, bought at 200, and has a limit order at 150. */
  const holder = async (node: ManualEngine): Promise<AccountId> => {
    const id = await node.open();
    await node.buy(id, AAPL, 100);
    await node.order(id, limitAt(150));
    return id;
  };
  const limitAt = (limit: number) =>
    ({
      type: "placeLimit",
      orderUuid: orderUuid(CHANCE.uuid()),
      pair: AAPL,
      direction: "long",
      size: { kind: "quantity", lots: 1 },
      limitPrice: price(limit),
      legs: [],
      reduceOnly: false,
    }) as const;
  const shares = async (node: ManualEngine, id: AccountId): Promise<number | undefined> => {
    const { length: version } = await node.journal(id);
    const account = await node.cache.read({ accountId: id, version });
    return account?.state.positions.find(({ pair }) => pair === AAPL)?.quantity;
  };
  /** The actions that were carried out on the account according to its journal, each as often as that happened. */
  const actionsOf = async (node: ManualEngine, id: AccountId): Promise<readonly string[]> =>
    (await node.journal(id)).flatMap(({ event }) =>
      event.type === "sharesSplit" || event.type === "dividendPaid" ? [event.actionId] : [],
    );
  const expectSound = async () => {
    const options = {
      database: database(),
      evolve,
      instruments: SHARE_CATALOGUE,
      which: "all",
    } as const;
    expect(await verifyJournal(database(), "all")).toMatchObject({ broken: [] });
    expect(await rebuildJournal({ ...options, write: false })).toMatchObject({ different: [] });
  };

  beforeEach(async () => {
    await database().query(
      "truncate accounts, journal, trades, payouts, daily_returns, corporate_actions",
    );
  });

  test("a split is carried out on every account that holds the pair or has orders on it, once each [D11.once]", async () => {
    const node = nodeAt();
    await node.quote(AAPL, 200);
    await node.quote(BTCUSD, 50_000);
    const ids = [await holder(node), await holder(node)];
    const pending = await node.open();
    await node.order(pending, limitAt(100));
    const other = await node.open();
    await node.buy(other, BTCUSD, 1);
    expect(await node.actions.announce(newSplit(MOMENT, 1), OLGA)).toMatchObject({
      status: "announced",
    });

    node.now = unixMs(MOMENT - 1);
    expect(await node.carryOutActions()).toBe(0);
    node.now = MOMENT;
    expect(await node.carryOutActions()).toBe(3);
    expect(await node.carryOutActions()).toBe(0);
    for (const id of [...ids, pending]) expect(await actionsOf(node, id)).toEqual([nthActionId(1)]);
    expect(await actionsOf(node, other)).toEqual([]);
    expect(await shares(node, ids[0] ?? other)).toBe(40_000_000);

    node.now = unixMs(MOMENT + MINUTE_MS);
    expect(await node.carryOutActions()).toBe(0);
    expect(await node.actions.list()).toMatchObject([
      { status: "carriedOut", endedAtMs: MOMENT + MINUTE_MS },
    ]);
    expect(node.faults).toEqual([]);
    await expectSound();
  });

  test("the equity is the same before and after, and no account is ended by the old price or the new [D11.scale]", async () => {
    const node = nodeAt();
    await node.quote(AAPL, 200);
    const long = await holder(node);
    const short = await node.open();
    await node.order(short, {
      ...limitAt(200),
      type: "placeMarket",
      direction: "short",
      size: { kind: "quantity", lots: 200 },
    });
    await node.actions.announce(newSplit(MOMENT, 1), OLGA);
    const equities = async () => {
      const readings = [long, short].map((accountId) =>
        node.network.account({ accountId, version: 0 }),
      );
      return (await Promise.all(readings)).map((one) => (one.ok ? one.value.snapshot.equity : one));
    };
    const before = await equities();
    node.now = MOMENT;
    // The action is not carried out on the accounts yet, so their figures still have the old scale.
    expect(await equities()).toEqual(before);
    await node.carryOutActions();
    expect(await equities()).toEqual(before);
    await expect(node.order(long, { ...limitAt(1), type: "placeMarket" })).rejects.toThrow(
      "noFreshQuote",
    );
    await node.quote(AAPL, 50);
    expect(await equities()).toEqual(before);
    await node.order(long, { ...limitAt(1), type: "placeMarket" });
    expect(await shares(node, long)).toBe(40_100_000);
  });

  test("a price of the new scale that comes before the action was carried out anywhere harms no account [D11.scale]", async () => {
    const before = nodeAt();
    await before.quote(AAPL, 200);
    const id = await holder(before);
    await before.actions.announce(newSplit(MOMENT, 1), OLGA);

    // Another node starts after the moment, gets a new price first, and then reads the account.
    const node = nodeAt(unixMs(MOMENT + MINUTE_MS));
    await node.restore();
    await node.quote(AAPL, 50);
    const { state } = (await node.cache.read({ accountId: id, version: 0 })) ?? {};
    expect(state?.status).toBe("active");
    await node.carryOutActions();
    expect(await shares(node, id)).toBe(40_000_000);
    expect(await actionsOf(node, id)).toEqual([nthActionId(1)]);
    await expectSound();
  });

  test("two nodes that carry an action out concurrently do it once, also for accounts that the other changed [D11.once]", async () => {
    const [one, two] = [nodeAt(), nodeAt()];
    for (const node of [one, two]) await node.quote(AAPL, 200);
    const ids = [await holder(one), await holder(two), await holder(one), await holder(two)];
    await one.actions.announce(newSplit(MOMENT, 1), OLGA);
    for (const node of [one, two]) node.now = MOMENT;
    await Promise.all([one.carryOutActions(), two.carryOutActions()]);
    for (const id of ids) {
      expect(await actionsOf(one, id)).toEqual([nthActionId(1)]);
      expect(await shares(two, id)).toBe(40_000_000);
    }
    await expectSound();
  });

  test("a node carries it out on the accounts of partitions that it takes over later, also when none was up at the moment [D11.once]", async () => {
    const node = nodeAt();
    await node.quote(AAPL, 200);
    const id = await holder(node);
    await node.actions.announce(newSplit(MOMENT, 1), OLGA);
    node.now = unixMs(MOMENT + 3 * HOUR_MS);
    let partitions: readonly number[] = [];
    const store = createCorporateActionStore(database());
    const started = createActionRunner({
      store,
      holders: [{ store, ownership: { partitions: () => partitions } }],
      desk: node.actions,
      executor: node.executor,
      states: node.cache,
      clock: { now: () => node.now },
      onFault: (cause) => expect.unreachable(String(cause)),
    });
    expect(await started.run()).toBe(0);
    partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
    expect(await started.run()).toBe(1);
    expect(await actionsOf(node, id)).toEqual([nthActionId(1)]);
    node.now = unixMs(node.now + 5_000);
    expect(await started.run()).toBe(0);
    expect(await node.actions.list()).toMatchObject([{ status: "carriedOut" }]);
    await expectSound();
  });

  test("an action is not over while an account of another node has not had it, for any time [D11.once]", async () => {
    const owner = nodeAt();
    await owner.quote(AAPL, 200);
    const ids = [await holder(owner), await holder(owner)];
    await owner.actions.announce(newSplit(MOMENT, 1), OLGA);
    const other = nodeAt(MOMENT);
    const store = createCorporateActionStore(database());
    const elsewhere = createActionRunner({
      store,
      holders: [{ store, ownership: { partitions: () => [] } }],
      desk: other.actions,
      executor: other.executor,
      states: other.cache,
      clock: { now: () => other.now },
      onFault: (cause) => expect.unreachable(String(cause)),
    });
    // The node that owns the account is stopped meanwhile.
    for (const hours of [0, 2, 2, 200]) {
      other.now = unixMs(other.now + hours * HOUR_MS);
      await other.actions.refresh();
      expect(await elsewhere.run()).toBe(0);
    }
    expect(await owner.actions.list()).toMatchObject([{ status: "announced" }]);

    owner.now = other.now;
    expect(await owner.carryOutActions()).toBe(2);
    for (const id of ids) expect(await actionsOf(owner, id)).toEqual([nthActionId(1)]);
    expect(await owner.actions.list()).toMatchObject([{ status: "carriedOut" }]);
    await expectSound();
  });

  test("an order on the account carries it out first, and what is opened afterwards is not touched [D11.once]", async () => {
    const node = nodeAt();
    await node.quote(AAPL, 200);
    const id = await holder(node);
    const late = await node.open();
    await node.actions.announce(newSplit(MOMENT, 1), OLGA);
    node.now = MOMENT;
    await node.quote(AAPL, 50);
    await node.buy(id, AAPL, 1);
    await node.buy(late, AAPL, 1);
    expect([await shares(node, id), await shares(node, late)]).toEqual([40_100_000, 100_000]);
    expect(await node.carryOutActions()).toBe(0);
    expect([await shares(node, id), await shares(node, late)]).toEqual([40_100_000, 100_000]);
    expect(await actionsOf(node, late)).toEqual([]);
  });

  test("a search that the database interrupts goes on where it stopped [D11.once]", async () => {
    const node = nodeAt();
    await node.quote(AAPL, 200);
    const ids = [await holder(node), await holder(node)];
    await node.actions.announce(newSplit(MOMENT, 1), OLGA);
    node.now = MOMENT;
    await database().query("alter table journal rename to journal_away");
    await expect(node.carryOutActions()).rejects.toThrow();
    await database().query("alter table journal_away rename to journal");
    node.now = unixMs(MOMENT + 10_000);
    await node.carryOutActions();
    for (const id of ids) expect(await actionsOf(node, id)).toEqual([nthActionId(1)]);
    await expectSound();
  });

  test("while the clock is wrong no quote is adjusted, and the search begins again when it is right [D12.oneClock]", async () => {
    const node = nodeAt();
    await node.quote(AAPL, 200);
    const id = await holder(node);
    await node.actions.announce(newSplit(MOMENT, 1), OLGA);
    const equity = async () => {
      const reading = await node.network.account({ accountId: id, version: 0 });
      return reading.ok ? reading.value.snapshot.equity : reading;
    };

    node.now = unixMs(MOMENT + 61 * DAY_MS);
    node.isClockWrong = true;
    expect(await node.carryOutActions()).toBe(0);
    expect(await actionsOf(node, id)).toEqual([]);

    node.now = unixMs(MOMENT - 1);
    node.isClockWrong = false;
    expect(await equity()).toBe(100_000_000_000);
    await node.quote(AAPL, 201);
    expect(await equity()).toBe(100_100_000_000);

    node.now = MOMENT;
    expect(await node.carryOutActions()).toBe(1);
    expect(await equity()).toBe(100_100_000_000);
    await expectSound();
  });

  test("a dividend is paid once and a restart at the weekend still adjusts the last price [D11.dividend]", async () => {
    const node = nodeAt();
    await node.quote(AAPL, 200);
    const id = await holder(node);
    await node.actions.announce(newDividend(MOMENT, 1, 0.24), OLGA);
    node.now = unixMs(MOMENT + MINUTE_MS);
    expect(await node.carryOutActions()).toBe(1);
    const reading = await node.network.account({ accountId: id, version: 0 });
    expect(reading).toMatchObject({
      ok: true,
      value: { snapshot: { balance: 100_024_000_000, equity: 100_000_000_000 } },
    });
    expect(await node.actions.list()).toMatchObject([{ status: "carriedOut" }]);
    expect([...node.actions.current.values()].flat()).toHaveLength(1);
    await expectSound();
  });

  test("an announcement is refused when it cannot be right, and says why [D11.announce]", async () => {
    const node = nodeAt();
    const refusal = async (action: Parameters<typeof node.actions.announce>[0]) => {
      const announced = await node.actions.announce(action, OLGA);
      return "refused" in announced ? announced.refused : announced.status;
    };
    // Without a price of the pair, the amount cannot be compared.
    expect(await refusal(newDividend(MOMENT, 1, 1e9))).toBe(
      "amount: AAPL has no price yet, and an amount is compared with it",
    );
    await node.quote(AAPL, 200);
    expect(await refusal({ ...newSplit(MOMENT, 1), pair: BTCUSD })).toBe(
      "pair: BTCUSD is not an equity; only equities have splits and dividends",
    );
    expect(await refusal(newSplit(unixMs(TEST_NOON + 9_999), 1))).toMatch(
      /^atMs: must be at least/,
    );
    expect(await refusal(newSplit(TEST_NOON, 1))).toMatch(/^atMs: must be at least ten seconds/);
    expect(await refusal(newDividend(MOMENT, 1, 100))).toBe(
      "amount: must be below half of the price (100)",
    );
    expect(await refusal(newSplit(MOMENT, 1))).toBe("announced");
    expect(await refusal(newSplit(MOMENT, 2))).toMatch(/^atMs: AAPL has a split at/);
    expect(await refusal(newDividend(unixMs(MOMENT - 1), 3, 1))).toMatch(/^atMs: AAPL has a split/);
    expect(await refusal(newDividend(unixMs(MOMENT + 1), 3, 1))).toBe("announced");
  });

  test("a second split within seven days is refused unless it says `again` [D13.splitAgain]", async () => {
    const node = nodeAt();
    await node.quote(AAPL, 200);
    const week = 7 * 24 * 60 * MINUTE_MS;
    const announce = (afterMs: number, index: number, isAgain = false) =>
      node.actions.announce(newSplit(unixMs(MOMENT + afterMs), index), { by: "olga", isAgain });
    expect(await announce(0, 1)).toMatchObject({ status: "announced" });
    expect(await announce(6_000, 2)).toEqual({
      field: "again",
      refused: `again: must be true for a second split within seven days; AAPL has one of 4:1 at ${new Date(MOMENT).toISOString()} (${nthActionId(1)})`,
      isConflict: true,
    });
    expect(await announce(week, 3)).toMatchObject({ isConflict: true });
    expect(await announce(week + 1, 4)).toMatchObject({ status: "announced" });
    expect(await announce(week + 2, 5, true)).toMatchObject({ status: "announced" });
    // Neither a dividend nor a cancelled split counts as a split.
    const dividend = newDividend(unixMs(MOMENT + week + 3), 6, 0.24);
    expect(await node.actions.announce(dividend, OLGA)).toMatchObject({ status: "announced" });
    const other = nodeAt();
    for (const index of [5, 4]) await other.actions.cancel(nthActionId(index));
    expect(await other.actions.cancel(nthActionId(6))).toMatchObject({ status: "cancelled" });
    expect(await announce(week + 1, 7)).toMatchObject({ status: "announced" });
  });

  test("a late announcement is refused when an account has a fill at or after its moment [D13.lateAnnouncement]", async () => {
    const node = nodeAt();
    await node.quote(AAPL, 200);
    await node.quote(BTCUSD, 50_000);
    const before = await holder(node);
    const since = await node.open();
    node.now = unixMs(TEST_NOON + 2_000);
    await node.buy(since, AAPL, 100);
    await node.buy(before, BTCUSD, 1);
    node.now = unixMs(TEST_NOON + 4_000);
    const late = (afterMs: number) =>
      node.actions.announce(newSplit(unixMs(TEST_NOON + afterMs), 1), OLGA);
    for (const afterMs of [1_000, 2_000]) {
      expect(await late(afterMs)).toEqual({
        refused: expect.stringMatching(
          /^atMs: 1 account has a fill of AAPL at or after this moment/,
        ),
        field: "atMs",
        isConflict: true,
      });
    }
    expect(await node.carryOutActions()).toBe(0);
    expect(await late(2_001)).toMatchObject({ status: "announced" });
    expect(await node.carryOutActions()).toBe(2);
    for (const id of [before, since]) expect(await shares(node, id)).toBe(40_000_000);
    await expectSound();
  });

  test("a late split cancels what was placed or edited since its moment, and nothing that comes later [D13.sinceTheMoment]", async () => {
    const node = nodeAt();
    await node.quote(AAPL, 200);
    const id = await holder(node);
    const other = await node.open();
    node.now = unixMs(MOMENT + 6_000);
    await node.order(id, limitAt(37.5));
    await node.order(other, limitAt(37.5));
    node.now = unixMs(MOMENT + 11_000);
    await node.actions.announce(newSplit(MOMENT, 1), OLGA);
    expect(await node.carryOutActions()).toBe(2);
    const limits = async (account: AccountId) => {
      const { length: version } = await node.journal(account);
      const read = await node.cache.read({ accountId: account, version });
      return read?.state.orders.map((order) => order.kind === "limit" && order.limitPrice);
    };
    expect([await limits(id), await limits(other)]).toEqual([[37.5], []]);
    const cancelled = (await node.journal(id)).flatMap(({ event }) =>
      event.type === "orderCancelled" ? [event.reason] : [],
    );
    expect(cancelled).toEqual(["corporateAction"]);
    node.now = unixMs(MOMENT + 12_000);
    await node.order(other, limitAt(36));
    node.now = unixMs(MOMENT + MINUTE_MS);
    await node.carryOutActions();
    expect(await limits(other)).toEqual([36]);
    await expectSound();
  });

  test("one of two identical announcements that race is stored [D11.announce]", async () => {
    const nodes = [nodeAt(), nodeAt()];
    const both = await Promise.all(
      nodes.map((node, index) => node.actions.announce(newSplit(MOMENT, index + 1), OLGA)),
    );
    expect(both.filter((one) => "refused" in one)).toHaveLength(1);
    expect(await nodeAt().actions.list()).toHaveLength(1);
  });

  test("an action is cancelled until ten seconds before its moment, and then never happens [D11.announce] [D11.cancel]", async () => {
    const node = nodeAt();
    await node.quote(AAPL, 200);
    const id = await holder(node);
    await node.actions.announce(newSplit(MOMENT, 1), OLGA);
    expect(await node.actions.cancel(nthActionId(9))).toBe("missing");
    node.now = unixMs(MOMENT - 9_999);
    expect(await node.actions.cancel(nthActionId(1))).toMatchObject({
      refused: expect.any(String),
    });
    node.now = unixMs(MOMENT - 10_000);
    expect(await node.actions.cancel(nthActionId(1))).toMatchObject({ status: "cancelled" });
    expect(await node.actions.cancel(nthActionId(1))).toEqual({
      refused: "The action is cancelled",
    });
    node.now = unixMs(MOMENT + MINUTE_MS);
    expect(await node.carryOutActions()).toBe(0);
    expect(await shares(node, id)).toBe(10_000_000);
  });

  test("an action of the past is announced while no price of its time is known, and is carried out at once [D11.announce]", async () => {
    const node = nodeAt();
    await node.quote(AAPL, 200);
    const id = await holder(node);
    node.now = unixMs(MOMENT + MINUTE_MS);
    expect(await node.actions.announce(newSplit(MOMENT, 1), OLGA)).toMatchObject({
      status: "announced",
    });
    expect(await node.carryOutActions()).toBe(1);
    expect(await shares(node, id)).toBe(40_000_000);
  });
});
