import {
  type AccountId,
  evolve,
  type Instruments,
  orderUuid,
  price,
  ratio,
  type Session,
  type TraderCommand,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import { beforeEach, expect, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import { createSeededChance } from "../../../base/src/random.ts";
import { rebuildJournal } from "../../../ledger/src/trading/journal/rebuild-journal.ts";
import { describeOnEachDatabase } from "../testing/each-database.ts";
import { AAPL, newSplit, nthActionId, SHARE_CATALOGUE } from "../testing/share-market.ts";
import { createSharedTape, type ShareNode, startShareNode } from "../testing/share-node.ts";

/** A session on weekdays from 14:30 to 21:00 UTC. */
const SESSION: Session = {
  id: "weekdays",
  zone: "UTC",
  weekly: [1, 2, 3, 4, 5].map((day) => ({
    fromDay: day,
    fromMinute: 870,
    toDay: day,
    toMinute: 1_260,
  })),
  holidays: new Set(),
  earlyCloses: new Map(),
};
const STOCKS: Instruments = new Map(
  [...SHARE_CATALOGUE].map(([pair, one]) => [
    pair,
    pair === AAPL ? { ...one, session: SESSION } : one,
  ]),
);
const at = (text: string): UnixMs => unixMs(Date.parse(text));
const MONDAY = at("2026-01-05T20:59:00Z");
const OPENING = at("2026-01-06T14:30:00Z");
const CHANCE = createSeededChance("splits in service");

await describeOnEachDatabase("a split in a running service", (database) => {
  beforeEach(() =>
    database().query(
      "truncate accounts, journal, trades, payouts, daily_returns, corporate_actions, price_choices, quotes",
    ),
  );

  const start = (instruments: Instruments = STOCKS): Promise<ShareNode> =>
    startShareNode(database(), { now: MONDAY, tape: createSharedTape(), instruments });
  const placed = (command: { readonly type: TraderCommand["type"] } & object) =>
    ({ orderUuid: orderUuid(CHANCE.uuid()), pair: AAPL, ...command }) as TraderCommand;
  /**
   * Opens an account with 100 shares at 200: long with a stop at 180 and a target at 240, or short with 220 and 160.
   */
  const holder = async (node: ShareNode, direction: "long" | "short"): Promise<AccountId> => {
    const id = await node.open();
    const [stop, target] = direction === "long" ? [180, 240] : [220, 160];
    const leg = { stopLoss: price(stop), takeProfit: price(target), trailing: null, size: null };
    const size = { kind: "quantity", lots: 100 } as const;
    await node.order(id, placed({ type: "placeMarket", direction, size, legs: [leg] } as never));
    return id;
  };
  const view = async (node: ShareNode, id: AccountId) => {
    const read = await node.network.account({ accountId: id, version: 0 });
    if (!read.ok) throw new Error("an account that can be read");
    const account = await node.cache.read({ accountId: id, version: 0 });
    const [position] = account?.state.positions ?? [];
    return {
      status: account?.state.status,
      equity: read.value.snapshot.equity / 1_000_000,
      shares: position === undefined ? null : position.quantity / 100_000,
      orders: account?.state.orders.map((order) =>
        order.kind === "bracket" ? [order.stopLoss, order.takeProfit] : order.limitPrice,
      ),
    };
  };
  /** Moves time past midnight, when the day ends at the last price of the closed market, and on to the next opening. */
  const passNight = async (node: ShareNode) => {
    node.now = at("2026-01-06T00:00:00Z");
    await node.due.runUnblocked();
    node.now = OPENING;
    await node.second();
  };
  const pass = async (node: ShareNode, ms: number) => {
    node.now = unixMs(node.now + ms);
    await node.second();
  };

  test("an unannounced split halts the pair at the opening; announced, it is carried out and the halt ends [D11.gap] [D13.gapExplained]", async () => {
    const node = await start();
    await node.send(200);
    const ids = [await holder(node, "long"), await holder(node, "short")] as const;
    await passNight(node);
    node.now = unixMs(OPENING + 500);
    for (const mid of [50.1, 50.2, 50.1]) expect(await node.send(mid)).toBe(false);
    await pass(node, 500);
    await eventually(() =>
      expect(node.choices.choiceOf(AAPL)).toMatchObject({
        chosen: { kind: "halt" },
        by: "gap check",
      }),
    );
    // The owner of the long position has seen the new price elsewhere, and edits the leg.
    const leg = { stopLoss: price(45), takeProfit: price(240), trailing: null, size: null };
    const account = await node.cache.read({ accountId: ids[0], version: 0 });
    const [order] = account?.state.orders ?? [];
    const replacement = { type: "editLeg", pair: AAPL, orderUuid: order?.uuid, leg };
    await node.order(ids[0], { type: "editOrder", replacement } as never);
    for (const id of ids) {
      expect(await view(node, id)).toMatchObject({ status: "active", equity: 100_000 });
    }
    await pass(node, 5_000);
    expect(await node.announce(newSplit(OPENING, 1))).toBe("announced");
    await pass(node, 1_000);
    expect(node.choices.choiceOf(AAPL)).toMatchObject({
      chosen: { kind: "auto" },
      by: "gap check",
    });
    expect(await node.send(50)).toBe(true);
    expect(await view(node, ids[0])).toEqual({
      status: "active",
      equity: 100_000,
      shares: 400,
      orders: [],
    });
    expect(await view(node, ids[1])).toEqual({
      status: "active",
      equity: 100_000,
      shares: 400,
      orders: [[55, 40]],
    });
    expect(node.warnings).toHaveLength(1);
    expect(node.faults).toEqual([]);
  });

  test("old prices after a split end and pass no account, halt the pair, and the new price lifts the halt [D13.formerScale]", async () => {
    const node = await start();
    await node.send(200);
    const ids = [await holder(node, "long"), await holder(node, "short")] as const;
    expect(await node.announce(newSplit(OPENING, 1))).toBe("announced");
    await passNight(node);
    const holdersAre = async (more: object) => {
      for (const id of ids) {
        expect(await view(node, id)).toMatchObject({ status: "active", shares: 400, ...more });
      }
    };
    for (let second = 0; second < 12; second += 1) {
      for (const mid of [200.1, 200.2, 200.1]) expect(await node.send(mid)).toBe(false);
      await pass(node, 1_000);
      await holdersAre({ equity: 100_000 });
    }
    await eventually(() =>
      expect(node.choices.choiceOf(AAPL)).toMatchObject({
        chosen: { kind: "halt" },
        by: "split check",
      }),
    );
    expect(node.warnings).toHaveLength(1);
    expect(await node.send(50)).toBe(false);
    await pass(node, 1_000);
    expect(node.choices.choiceOf(AAPL)).toMatchObject({
      chosen: { kind: "auto" },
      by: "split check",
    });
    expect(await node.send(50)).toBe(true);
    await holdersAre({ equity: 100_000 });
    expect(await node.send(200.1)).toBe(false);
    expect(await node.send(45)).toBe(true);
    expect(await view(node, ids[0])).toMatchObject({ shares: null, equity: 98_000 });
    expect(node.faults).toEqual([]);
  });

  test("a split after a fill since its moment needs a halt and a moment ten seconds away, and then splits everything [D13.lateAnnouncement]", async () => {
    const node = await start(SHARE_CATALOGUE);
    await node.send(200);
    const before = await holder(node, "long");
    const moment = node.now;
    node.now = unixMs(node.now + 1_500);
    const since = await holder(node, "short");
    expect(await node.announce(newSplit(unixMs(moment + 500), 1))).toMatch(
      /^atMs: 1 account has a fill of AAPL/,
    );
    await node.choose("halt");
    const announced = unixMs(node.now + 10_000);
    expect(await node.announce(newSplit(announced, 1))).toBe("announced");
    expect(await node.send(50)).toBe(false);
    await pass(node, 10_000);
    await node.choose("auto");
    expect(await node.send(50)).toBe(true);
    for (const [id, orders] of [
      [before, [[45, 60]]],
      [since, [[55, 40]]],
    ] as const) {
      const now = { status: "active", equity: 100_000, shares: 400, orders };
      expect(await view(node, id)).toEqual(now);
    }
    expect((await node.actions.list())[0]?.action).toMatchObject({ id: nthActionId(1) });
    expect(node.faults).toEqual([]);
  });

  test("the rest of a split that would exceed the largest quantity is paid out, and the position is read, rebuilt and closed [D11.cashInLieu]", async () => {
    const node = await start(SHARE_CATALOGUE);
    await node.send(0.005);
    const id = await node.open();
    const size = { kind: "quantity", lots: 9_500_000 } as const;
    const leg = { stopLoss: price(0.004), takeProfit: null, trailing: null, size: null };
    const long = { type: "placeMarket", direction: "long", size, legs: [leg] } as const;
    await node.order(id, placed(long as never));
    const moment = unixMs(node.now + 10_000);
    expect(await node.announce(newSplit(moment, 1, "10000:1"))).toBe("announced");
    await pass(node, 10_000);
    const shares = 90_071_992_547.4;
    const open = { status: "active", equity: 100_000, shares, orders: [[4e-7, null]] };
    expect(await view(node, id)).toEqual(open);
    expect(await node.send(5e-7)).toBe(true);
    expect(await view(node, id)).toEqual(open);
    await node.order(id, placed({ type: "closePair" }));
    expect(await view(node, id)).toMatchObject({ shares: null, equity: 100_000, orders: [] });
    const all = {
      database: database(),
      evolve,
      instruments: SHARE_CATALOGUE,
      which: "all",
    } as const;
    expect(await rebuildJournal({ ...all, write: false })).toMatchObject({ different: [] });
    expect(node.faults).toEqual([]);
  });

  test("a dividend does not explain the gap of a split: the pair stays halted with one reason [D13.gapExplained]", async () => {
    const node = await start();
    await node.send(200);
    const id = await holder(node, "long");
    const dividend = { ...newSplit(OPENING, 1), kind: "dividend", amount: 0.24 } as const;
    expect(await node.announce(dividend)).toBe("announced");
    await passNight(node);
    for (let second = 0; second < 5; second += 1) {
      expect(await node.send(50)).toBe(false);
      await pass(node, 1_000);
    }
    await eventually(() => expect(node.choices.choiceOf(AAPL)).not.toBeNull());
    expect(node.choices.choiceOf(AAPL)).toMatchObject({
      version: 1,
      chosen: { kind: "halt" },
      reason: expect.stringMatching(/^the first price of the session is 50/),
    });
    expect(node.warnings).toHaveLength(1);
    expect(await view(node, id)).toMatchObject({ status: "active", shares: 100, equity: 100_000 });
  });

  /**
   * A case of a trailing stop and a split. `prices` are the entry, the best price, and the first price after the split;
   * of the `closing` prices only `closes` closes the position.
   */
  interface Trail {
    readonly direction: "long" | "short";
    readonly ratio: string;
    readonly share: number;
    readonly prices: readonly [from: number, best: number, after: number];
    readonly closing: readonly [stays: number, closes: number];
  }
  const TRAILS: readonly Trail[] = [
    { direction: "long", ratio: "4:1", share: 0.05, prices: [200, 210, 54], closing: [51.4, 51.3] },
    {
      direction: "short",
      ratio: "4:1",
      share: 0.05,
      prices: [200, 190, 46],
      closing: [48.2, 48.3],
    },
    {
      direction: "long",
      ratio: "1:10",
      share: 0.05,
      prices: [20, 21, 216],
      closing: [205.3, 205.2],
    },
    {
      direction: "short",
      ratio: "1:10",
      share: 0.05,
      prices: [20, 19, 184],
      closing: [193.1, 193.2],
    },
    // The first price after the split is neither better than the old best price nor beyond the old stop.
    {
      direction: "long",
      ratio: "11:10",
      share: 0.2,
      prices: [220, 231, 216],
      closing: [172.9, 172.8],
    },
    {
      direction: "short",
      ratio: "10:11",
      share: 0.2,
      prices: [200, 190, 204],
      closing: [244.7, 244.8],
    },
  ];

  test.each(
    TRAILS.flatMap((trail) =>
      (["after the new best", "at the split", "as a second node"] as const).map((when) => ({
        ...trail,
        when,
      })),
    ),
  )(
    "a trailing stop of a $direction never goes back after $ratio, with another process $when [D13.oneScale]",
    async ({
      direction,
      ratio: text,
      share,
      prices: [from, best, after],
      closing: [stays, closes],
      when,
    }) => {
      const tape = createSharedTape();
      const startAt = (now: UnixMs) =>
        startShareNode(database(), { now, tape, instruments: SHARE_CATALOGUE, seed: `at ${now}` });
      const first = await startAt(MONDAY);
      await first.send(from);
      const id = await first.open();
      const size = { kind: "quantity", lots: 100 } as const;
      const trailing = { kind: "percent", ratio: ratio(share) } as const;
      const legs = [{ stopLoss: null, takeProfit: null, trailing, size: null }];
      await first.order(id, placed({ type: "placeMarket", direction, size, legs } as never));
      const moment = unixMs(MONDAY + 20_000);
      expect(await first.announce(newSplit(moment, 1, text))).toBe("announced");
      first.now = unixMs(MONDAY + 10_000);
      expect(await first.send(best)).toBe(true);
      // The best price is recorded, as happens before an answer shows it. Prices from `after` on have the new scale.
      await first.recordStops();
      first.now = unixMs(MONDAY + 11_000);
      expect(await first.send(from + 0.8 * (best - from))).toBe(true);
      await first.second();
      const next = when === "at the split" ? await startAt(moment) : first;
      if (next !== first) await next.restore();
      next.now = unixMs(MONDAY + 22_000);
      // At the split, the first price comes before the account's corporate action. In the other cases the action comes
      // first.
      if (when !== "at the split") await next.second();
      expect(await next.send(after)).toBe(true);
      if (when === "at the split") {
        next.now = unixMs(MONDAY + 22_500);
        expect(await next.send(0.99 * after + 0.01 * stays)).toBe(true);
        await next.second();
      }
      const last = when === "at the split" ? next : await startAt(unixMs(MONDAY + 23_000));
      if (when === "after the new best") await last.restore();
      if (when === "as a second node") {
        await last.carryOutActions();
        await last.shards[0].followOthers();
      }
      last.now = unixMs(MONDAY + 24_000);
      expect(await last.send(stays)).toBe(true);
      expect((await view(last, id)).shares).not.toBeNull();
      last.now = unixMs(MONDAY + 25_000);
      expect(await last.send(closes)).toBe(true);
      expect((await view(last, id)).shares).toBeNull();
      const fill = (await last.journal(id)).findLast(({ event }) => event.type === "orderFilled");
      expect(fill?.event).toMatchObject({ kind: "stopLoss", price: closes });
      const all = {
        database: database(),
        evolve,
        instruments: SHARE_CATALOGUE,
        which: "all",
      } as const;
      expect(await rebuildJournal({ ...all, write: false })).toMatchObject({ different: [] });
      expect([...first.faults, ...last.faults]).toEqual([]);
    },
  );
});
