import type { EquityHistory } from "@propgate/contract";
import { microUsd, unixMs } from "@propgate/core";
import { beforeEach, describe, expect, test } from "vitest";
import type { EquityFigures } from "../../../../../ledger/src/storage/rows/equity-figures.ts";
import { equityHistory } from "../../../../../wire/src/network/equity-history.ts";
import { START_MS } from "../../../testing/harness.ts";
import { openPagedService, type PagedService } from "../../../testing/page-client.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const LONG = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", quantity: 1 };
/** The floors are 5 % below 100,000. */
const FLOORS = { floors: { dailyLoss: 95_000, static: 95_000 } };

describe("what an account was worth", () => {
  let service: PagedService;
  beforeEach(async () => {
    service = await openPagedService();
    return () => service.close();
  });

  const equity = (window = "1D") =>
    service.data<EquityHistory>(`/accounts/${service.accountId}/equity?window=${window}`);
  const rows = () => service.database.query("select * from equity_points", []);
  /**
   * Passes a minute and runs the equity job, which reads a page of changed accounts, then a page of accounts with open
   * positions.
   */
  const minute = async (): Promise<void> => {
    await service.time.pass(MINUTE_MS);
    for (let second = 0; second < 3; second += 1) await service.engine.shards[0].equity.tick();
  };

  test("the equity of an account begins with its opening, on a service that has written nothing down yet", async () => {
    await service.engine.shards[0].equity.tick();
    const opening = { atMs: START_MS, equity: 100_000, balance: 100_000, ...FLOORS };
    expect(await equity()).toEqual({
      window: "1D",
      startMs: START_MS,
      endedAtMs: null,
      points: [opening],
    });
    expect((await equity("all")).points).toEqual([opening]);
    expect(
      await service.page("GET", `/accounts/${service.accountId}/equity?window=1Y`),
    ).toMatchObject({ status: 400, error: "window: must be one of 1D, 1W, 1M, all" });
  });

  /** Opens a long position and closes it again, within five minutes in all. */
  const trade = async (): Promise<void> => {
    await service.engine.shards[0].equity.tick();
    await service.quote("BTCUSD", 50_000, 50_000);
    await service.order(LONG);
    await minute();
    // No price has moved since, so no point is added.
    await minute();
    expect(await rows()).toHaveLength(1);
    await service.quote("BTCUSD", 50_500, 50_500);
    await minute();
    await service.quote("BTCUSD", 49_900, 49_900);
    await service.order({ execution_type: "FLAT_ALL" });
    await minute();
    await minute();
  };

  test("the equity of an account is written down once a minute, where it has moved", async () => {
    await trade();
    await service.time.pass(1);
    const after = (minutes: number) => START_MS + minutes * MINUTE_MS;
    // The fees are 0.03 % of 50,000 and of 49,900.
    const [bought, sold] = [99_985, 99_870.03];
    expect((await equity()).points).toEqual([
      { atMs: START_MS, equity: 100_000, balance: 100_000, ...FLOORS },
      { atMs: after(1), equity: bought, balance: bought, ...FLOORS },
      { atMs: after(3), equity: bought + 500, balance: bought, ...FLOORS },
      { atMs: after(4), equity: sold, balance: sold, ...FLOORS },
      { atMs: after(5) + 1, equity: sold, balance: sold, ...FLOORS },
    ]);
  });

  test("the equity of an account has the days' ends of the journal, whose floors begin the next day", async () => {
    await trade();
    await service.pass(2 * DAY_MS);
    const { points } = await equity("1W");
    const midnight = START_MS + DAY_MS / 2;
    const floors = { dailyLoss: 94_876.5285, static: 95_000 };
    const ended = { equity: 99_870.03, balance: 99_870.03, floors };
    expect(points.slice(-3)).toEqual([
      { atMs: midnight, ...ended },
      { atMs: midnight + DAY_MS, ...ended },
      { atMs: service.time.clock.now(), ...ended },
    ]);
    // The first point of a window that begins after the opening is the equity at the beginning of the window.
    const day = await equity("1D");
    expect(day.startMs).toBe(service.time.clock.now() - DAY_MS);
    expect(day.points.map(({ atMs }) => atMs)).toEqual([
      day.startMs,
      midnight + DAY_MS,
      service.time.clock.now(),
    ]);
  });

  test("the equity of an eliminated account ends with it, with the floors of that moment, whenever it is read", async () => {
    await trade();
    await service.pass(2 * DAY_MS);
    await service.accounts.eliminate(service.accountId, "INACTIVE");
    const endedAtMs = service.time.clock.now();
    const at = { atMs: endedAtMs, floors: { dailyLoss: 94_876.5285, static: 95_000 } };
    const first = await equity();
    expect(first).toMatchObject({ endedAtMs, startMs: endedAtMs - DAY_MS });
    expect(first.points.at(-1)).toMatchObject(at);
    await service.pass(40 * DAY_MS);
    expect(await equity()).toEqual(first);
    expect((await equity("all")).points.at(-1)).toMatchObject(at);
  });
});

test("the equity of a closed account ends with its closing, without floors, whenever it is read", async () => {
  const service = await openPagedService();
  try {
    const equity = (window: string) =>
      service.data<EquityHistory>(`/accounts/${service.accountId}/equity?window=${window}`);
    await service.pass(2 * DAY_MS);
    await service.accounts.close(service.accountId);
    const endedAtMs = service.time.clock.now();
    const first = await equity("1D");
    expect(first).toMatchObject({ endedAtMs, startMs: endedAtMs - DAY_MS });
    const last = { atMs: endedAtMs, equity: 100_000, balance: 100_000, floors: {} };
    expect(first.points.at(-1)).toEqual(last);
    await service.pass(40 * DAY_MS);
    expect(await equity("1D")).toEqual(first);
    expect((await equity("all")).points.at(-1)).toEqual(last);
  } finally {
    await service.close();
  }
});

describe("a line of many points", () => {
  const figures = (atMs: number, equity: number): EquityFigures => ({
    atMs: unixMs(atMs),
    equity: microUsd(equity * 1_000_000),
    balance: microUsd(0),
    floors: [],
  });

  test("a line of many points keeps its ends, its deepest low and its highest high, in order", () => {
    const points = Array.from({ length: 13_000 }, (_, index) =>
      figures(index + 1, 1000 + (index % 7)),
    );
    points[5001] = figures(5002, 1);
    points[9001] = figures(9002, 5000);
    const history = equityHistory({
      window: "all",
      startMs: unixMs(0),
      endedAtMs: null,
      before: null,
      points,
      dayEnds: [figures(0, 1000)],
      present: figures(20_000, 1234),
    });
    const { points: line } = history;
    expect(line.length).toBeLessThanOrEqual(500);
    expect(line.length).toBeGreaterThan(450);
    expect([line[0]?.atMs, line.at(-1)?.equity]).toEqual([0, 1234]);
    expect(line.find(({ equity }) => equity === 1)?.atMs).toBe(5002);
    expect(line.find(({ equity }) => equity === 5000)?.atMs).toBe(9002);
    const times = line.map(({ atMs }) => atMs);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });
});
