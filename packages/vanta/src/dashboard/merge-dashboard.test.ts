import { describe, expect, test } from "vitest";
import type { Literal } from "../python-literal.ts";
import {
  MADE_INFO_SECTION,
  madeDashboardPart,
  madeOrder,
  madePosition,
} from "../testing/made-dashboard.ts";
import type { DashboardCursors } from "../upstream/port.ts";
import type { LinkedReadings } from "./linked-readings.ts";
import { type MergedReadings, mergeDashboard, NO_CURSORS } from "./merge-dashboard.ts";

const T = 1_794_900_000_000;
const READ_AT = 1_794_996_000_000;

type Sections = Readonly<Record<string, Literal>>;

function merge(
  before: LinkedReadings | null,
  sections: Sections,
  requested: DashboardCursors = before?.cursors ?? NO_CURSORS,
): MergedReadings {
  return mergeDashboard(before, madeDashboardPart(sections), { requested, readAtMs: READ_AT });
}

const positions = (items: Sections, cursorMs: number | null): Sections => ({
  positions: { positions: items, positions_time_ms: cursorMs },
});
const orders = (open: Sections, closed: readonly string[], cursorMs: number | null): Sections => ({
  limit_orders: { open_orders: open, closed_orders: closed, limit_orders_time_ms: cursorMs },
});
const closed = (openMs: number, closeMs: number): Literal =>
  madePosition(openMs, { t: "FLAT", c: closeMs, rp: 5, rc: 1.01 });

const openIds = ({ readings }: MergedReadings): readonly string[] =>
  Object.keys(readings.positions);
const orderIds = ({ readings }: MergedReadings): readonly string[] => Object.keys(readings.orders);
const recordIds = ({ records }: MergedReadings): readonly string[] =>
  records.map(({ kind, id, atMs }) => `${kind} ${id} ${atMs - T}`);

describe("positions of an incremental read", () => {
  const first = merge(null, positions({ p1: madePosition(T), p2: madePosition(T + 10) }, T + 10));

  test("positions that changed in an incremental read replace the stored ones; the others stay", () => {
    const next = merge(first.readings, positions({ p2: madePosition(T + 10, { up: 99 }) }, T + 20));
    expect(openIds(next)).toEqual(["p1", "p2"]);
    expect(next.readings.positions.p2?.unrealizedPnl).toBe(99_000_000);
    expect(next.readings.newest.positionsMs).toBe(T + 20);
  });

  test("positions have not changed when an incremental read has no section of them", () => {
    expect(openIds(merge(first.readings, {}))).toEqual(["p1", "p2"]);
  });

  test("positions that closed in an incremental read become records with the time of their end", () => {
    const next = merge(first.readings, positions({ p1: closed(T, T + 15) }, T + 15));
    expect(openIds(next)).toEqual(["p2"]);
    expect(recordIds(next)).toEqual(["closedPosition p1 15"]);
    expect(JSON.parse(next.records[0]?.body ?? "")).toMatchObject({
      uuid: "p1",
      direction: "LONG",
      realizedPnl: 5_000_000,
    });
  });

  test("positions of an incremental read are asked for again while they are open, from before the oldest of their last fills", () => {
    expect(first.readings.cursors.positionsMs).toBe(T - 1);
    const next = merge(first.readings, positions({ p1: closed(T, T + 15) }, T + 15));
    expect(next.readings.cursors.positionsMs).toBe(T + 9);
    const none = merge(next.readings, positions({ p2: closed(T + 10, T + 30) }, T + 30));
    expect(none.readings.cursors.positionsMs).toBe(T + 30);
  });
});

describe("an answer with an older cursor", () => {
  const before = merge(null, {
    ...positions({ p1: madePosition(T, { up: 50 }) }, T + 100),
    ...orders({ o1: madeOrder(T + 5, { lp: 5 }) }, [], T + 100),
  }).readings;

  test("an answer with an older cursor does not lower a cursor", () => {
    const { newest } = merge(before, {
      ...positions({}, T + 50),
      ...orders({}, [], T + 50),
      ledger: { checkpoints_time_ms: T },
    }).readings;
    expect(newest).toEqual({
      positionsMs: T + 100,
      ordersMs: T + 100,
      checkpointsMs: T,
      dailyReturnsMs: null,
    });
  });

  test("an answer with an older cursor does not replace an item that is as new", () => {
    const next = merge(before, {
      ...positions({ p1: madePosition(T, { up: 1 }) }, T + 50),
      ...orders({ o1: madeOrder(T + 5, { lp: 1 }) }, [], T + 50),
    });
    expect(next.readings.positions.p1?.unrealizedPnl).toBe(50_000_000);
    expect(next.readings.orders.o1?.limitPrice).toBe(5);
  });

  test("an answer with an older cursor does not open again what has closed since", () => {
    const next = merge(before, {
      ...positions({ p0: madePosition(T + 40) }, T + 50),
      ...orders({ o0: madeOrder(T + 40) }, [], T + 50),
    });
    expect([openIds(next), orderIds(next)]).toEqual([["p1"], ["o1"]]);
  });

  test("an answer with an older cursor adds an item that is newer, and what it says is closed is closed", () => {
    const next = merge(before, {
      ...positions({ p9: madePosition(T + 101), p1: closed(T, T + 45) }, T + 50),
      ...orders({ o9: madeOrder(T + 101) }, ["o1"], T + 50),
    });
    expect([openIds(next), orderIds(next)]).toEqual([["p9"], ["o9"]]);
  });

  test("an answer with an older cursor replaces the open sets when it answers a full read, as its newest item may have closed", () => {
    const next = merge(before, { ...positions({}, T + 50), ...orders({}, [], T + 50) }, NO_CURSORS);
    expect([openIds(next), orderIds(next)]).toEqual([[], []]);
  });
});

describe("a full read", () => {
  const before = merge(null, {
    ...positions({ p1: madePosition(T) }, T),
    ...orders({ o1: madeOrder(T) }, [], T),
  }).readings;

  test("a full read replaces the open sets", () => {
    const next = merge(
      before,
      {
        ...positions({ p2: madePosition(T + 1) }, T + 1),
        ...orders({ o2: madeOrder(T + 1) }, [], T + 1),
      },
      NO_CURSORS,
    );
    expect([openIds(next), orderIds(next)]).toEqual([["p2"], ["o2"]]);
  });

  test("a full read without the sections means that there are none", () => {
    const next = merge(before, {}, NO_CURSORS);
    expect([openIds(next), orderIds(next)]).toEqual([[], []]);
  });
});

describe("pending orders of an incremental read", () => {
  const before = merge(null, {
    ...positions(
      { p1: madePosition(T, { uo: { leg1: { p: T, sl: 5 }, leg2: { p: T, tk: 9 } } }) },
      T,
    ),
    ...orders({ o1: madeOrder(T), o2: madeOrder(T + 1) }, [], T + 1),
  }).readings;

  test("pending orders that closed in an incremental read are gone, and their ids are records", () => {
    const next = merge(before, orders({}, ["o1", "never-seen"], T + 9));
    expect(orderIds(next)).toEqual(["o2"]);
    expect(recordIds(next)).toEqual(["closedOrder o1 9", "closedOrder never-seen 9"]);
  });

  test("pending orders that are in both lists are open: an edit closes and opens one id", () => {
    const next = merge(before, orders({ o1: madeOrder(T + 5, { lp: 7 }) }, ["o1"], T + 5));
    expect(next.readings.orders.o1?.limitPrice).toBe(7);
    expect(next.records).toEqual([]);
  });

  test("pending orders that are legs leave their position as well", () => {
    const next = merge(before, orders({}, ["leg1"], T + 9));
    expect(next.readings.positions.p1?.legs.map(({ uuid }) => uuid)).toEqual(["leg2"]);
  });
});

describe("an answer that comes twice", () => {
  test("an answer that comes twice changes nothing the second time, whenever it was read", () => {
    const sections: Sections = {
      ...positions({ p1: madePosition(T), p2: closed(T, T + 3) }, T + 3),
      ...orders({ o1: madeOrder(T) }, ["o2"], T + 2),
      ledger: { checkpoints: { [String(T)]: { r: 1.5, u: -2 } }, checkpoints_time_ms: T },
      statistics: { daily_returns: { "2026-11-17": 0.4 }, daily_returns_time_ms: T },
    };
    const once = merge(null, sections);
    const twice = mergeDashboard(once.readings, madeDashboardPart(sections), {
      requested: once.readings.cursors,
      readAtMs: READ_AT + 60_000,
    });
    expect(twice).toEqual(once);
    expect(recordIds(once)).toEqual([
      "closedPosition p2 3",
      "closedOrder o2 2",
      "checkpoint 1794900000000 0",
      `dailyReturn 2026-11-17 ${Date.UTC(2026, 10, 17) - T}`,
    ]);
  });
});

describe("a life on the network", () => {
  const challenge = (bucket: string, startMs: number): Sections => ({
    challenge_period: { bucket, bucket_start_time: startMs },
  });
  const before = merge(null, {
    ...challenge("SUBACCOUNT_CHALLENGE", T),
    ...positions({ p1: madePosition(T) }, T),
    account_size_data: { balance: 110_000 },
    drawdown: { current_equity: 1.1 },
  }).readings;

  test("a promotion wipes the history there: the next read is a full one", () => {
    const promoted = merge(before, {
      ...challenge("SUBACCOUNT_FUNDED", T + 500),
      account_size_data: { balance: 100_000 },
    });
    expect(promoted.readings.cursors).toEqual(NO_CURSORS);
    expect(promoted.readings.ledger?.balance).toBe(100_000_000_000);
    const next = merge(promoted.readings, {
      ...challenge("SUBACCOUNT_FUNDED", T + 500),
      ...positions({ p0: closed(T - 9, T - 5) }, T - 5),
    });
    expect(openIds(next)).toEqual([]);
    expect(next.readings.cursors.positionsMs).toBe(T - 5);
  });

  test("a phase that starts again in the same bucket is a change as well", () => {
    const again = merge(before, challenge("SUBACCOUNT_CHALLENGE", T + 1));
    expect(again.readings.cursors).toEqual(NO_CURSORS);
  });

  test("the read goes on without a change, also when the section is missing", () => {
    expect(merge(before, challenge("SUBACCOUNT_CHALLENGE", T)).readings.cursors).toEqual(
      before.cursors,
    );
    expect(merge(before, {}).readings.cursors).toEqual(before.cursors);
  });

  test("sections without a cursor are of the last answer: not sent is null", () => {
    const { readings } = merge(before, {});
    expect([readings.challenge, readings.drawdown, readings.ledger]).toEqual([null, null, null]);
  });

  test("an elimination after the link is in the readings, and one that is reverted is not", () => {
    const ended = merge(before, {
      subaccount_info: { ...MADE_INFO_SECTION, status: "eliminated", eliminated_at_ms: T + 9 },
      elimination: { reason: "INACTIVE", elimination_initiated_time_ms: T + 9, dd: 1.5 },
    }).readings;
    expect(ended.info).toMatchObject({ status: "eliminated", eliminatedAtMs: T + 9 });
    expect(ended.elimination).toEqual({ reason: "INACTIVE", atMs: T + 9, drawdownPct: 1.5 });
    const reverted = merge(ended, {}).readings;
    expect([reverted.info.status, reverted.elimination]).toEqual(["active", null]);
  });

  test("limits are kept: another call reads them", () => {
    const limits = { portfolioCap: 2, maxPortfolio: null, maxPerClass: {}, pairCaps: {} };
    expect(merge({ ...before, limits }, {}).readings.limits).toEqual(limits);
  });
});
