import {
  type AccountId,
  type Event,
  evolve,
  type Instruments,
  nextUtcMidnight,
  ratio,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import { beforeEach, expect, test } from "vitest";
import { createSeededChance } from "../../../base/src/random.ts";
import { TEST_OWNER, TEST_TERMS } from "../../../server/src/testing/counting-decider.ts";
import { TEST_MIDNIGHT, TEST_NOON } from "../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { madeQuoteFlow, type QuoteFlow } from "../../../server/src/testing/made-quote-flow.ts";
import {
  createManualEngine,
  type ManualEngine,
} from "../../../server/src/testing/manual-engine.ts";
import { BTCUSD, SMALL_CATALOGUE } from "../../../server/src/testing/small-market.ts";
import type { Database } from "../storage/databases/database.ts";
import { rebuildJournal } from "./journal/rebuild-journal.ts";
import { verifyJournal } from "./journal/verify-journal.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MIDNIGHT = TEST_MIDNIGHT;
const CHANCE = createSeededChance("due work");

/** The small market, with a carry of 0.01 % every eight hours on bitcoin. */
const COSTLY: Instruments = new Map(
  [...SMALL_CATALOGUE].map(([pair, instrument]) => [
    pair,
    pair === BTCUSD
      ? { ...instrument, carry: { kind: "everyEightHours", rate: ratio(0.0001) } }
      : instrument,
  ]),
);

const at = (text: string): UnixMs => unixMs(Date.parse(text));

/** The due time of the work that caused the event; null when a command caused it. */
function dueOf(event: Event): UnixMs | null {
  if (event.type === "dayEnded") return event.midnightMs;
  if (event.type === "carryCharged") return event.dueMs;
  return event.type === "cycleClosed" ? event.periodEndMs : null;
}

await describeOnEachDatabase("due work", (database) => {
  const nodeAt = (now: UnixMs, on: Database = database(), flow?: QuoteFlow): ManualEngine => {
    const given = { now, chance: CHANCE, instruments: COSTLY };
    return createManualEngine(on, flow === undefined ? given : { ...given, flow });
  };
  const timed = async (node: ManualEngine, id: AccountId): Promise<readonly (UnixMs | null)[]> =>
    (await node.journal(id)).map(({ event }) => dueOf(event)).filter((due) => due !== null);
  /** Checks that every journal is complete and reproduces the stored state, due times included. */
  const expectSound = async () => {
    const options = { database: database(), evolve, instruments: COSTLY, which: "all" } as const;
    expect(await verifyJournal(database(), "all")).toMatchObject({ broken: [] });
    expect(await rebuildJournal({ ...options, write: false })).toMatchObject({ different: [] });
  };

  beforeEach(async () => {
    await database().query("truncate accounts, journal, trades, payouts, daily_returns");
  });

  test("due work is due at the earliest due time of any account and runs once, however often it is looked for [D7.clockWork]", async () => {
    const node = nodeAt(TEST_NOON);
    expect(await node.due.nextDueMs(TEST_NOON)).toBe(null);
    const [holder, idle] = [await node.openFunded(), await node.open()];
    await node.quote(BTCUSD, 50_000);
    await node.buy(holder, BTCUSD, 1);
    // The carry of 16:00 UTC comes before any midnight.
    expect(await node.due.nextDueMs(TEST_NOON)).toBe(TEST_NOON + 4 * HOUR_MS);
    expect(await node.due.nextDueMs(unixMs(TEST_NOON + 4 * HOUR_MS))).toBe(MIDNIGHT);

    node.now = unixMs(TEST_NOON + 4 * HOUR_MS - 1);
    expect(await node.due.runDue()).toEqual({ accounts: 0, latenessMs: null });
    node.now = unixMs(TEST_NOON + 4 * HOUR_MS);
    expect(await node.due.runDue()).toEqual({ accounts: 1, latenessMs: 0 });
    node.now = MIDNIGHT;
    expect(await node.due.runDue()).toEqual({ accounts: 2, latenessMs: 0 });
    expect(await node.due.runDue()).toEqual({ accounts: 0, latenessMs: null });
    expect(await timed(node, holder)).toEqual([TEST_NOON + 4 * HOUR_MS, MIDNIGHT, MIDNIGHT]);
    expect(await timed(node, idle)).toEqual([MIDNIGHT]);
    expect(await node.due.nextDueMs(MIDNIGHT)).toBe(MIDNIGHT + 8 * HOUR_MS);
    await expectSound();
  });

  test("due work waits for the first quote of a source after a stop, and is done at it [D13.judges]", async () => {
    const flow = () => madeQuoteFlow(COSTLY, null, "sent");
    const before = nodeAt(TEST_NOON, database(), flow());
    const [holder, idle] = [await before.openFunded(), await before.open()];
    await before.quote(BTCUSD, 50_000);
    await before.buy(holder, BTCUSD, 1);

    const node = nodeAt(unixMs(MIDNIGHT + HOUR_MS), database(), flow());
    // The quote is from noon, which is too old to judge, because the market has been open since then.
    await node.quote(BTCUSD, 50_000, 50_000, TEST_NOON);
    expect((await node.due.runDue()).accounts).toBe(1);
    expect(await timed(node, idle)).toEqual([MIDNIGHT]);
    expect(await timed(node, holder)).toEqual([]);
    const awaited = {
      pair: BTCUSD,
      reason: "stale",
      accounts: 1,
      oldestDueAtMs: TEST_NOON + 4 * HOUR_MS,
    };
    expect((await node.due.lag()).awaited).toEqual([awaited]);
    // No account that waits for a price is decided again before the pair has another quote.
    expect((await node.due.runUnblocked()).accounts).toBe(0);
    await node.quote(BTCUSD, 49_000);
    expect((await node.due.runUnblocked()).accounts).toBe(1);
    expect((await node.due.lag()).awaited).toEqual([]);
    const ended = (await node.journal(holder)).flatMap(({ event }) =>
      event.type === "dayEnded" ? [event.equity] : [],
    );
    // The equity is 100,000 less a fee of 15, less a carry of 4.90 twice, and less a loss of 1,000.
    expect(ended).toEqual([98_975_200_000]);
    await expectSound();
  });

  test("due work is caught up in order, once, after a stop, and is reported as late [D7.clockWork] [D7.midnight]", async () => {
    const before = nodeAt(TEST_NOON);
    const id = await before.openFunded();
    await before.quote(BTCUSD, 50_000);
    await before.buy(id, BTCUSD, 1);

    const node = nodeAt(unixMs(MIDNIGHT + DAY_MS + HOUR_MS));
    await node.quote(BTCUSD, 50_000);
    expect(await node.due.lag()).toEqual({
      waiting: 1,
      oldestDueAtMs: TEST_NOON + 4 * HOUR_MS,
      newestLatenessMs: null,
      awaited: [],
    });
    const latenessMs = node.now - TEST_NOON - 4 * HOUR_MS;
    expect(await node.due.runDue()).toEqual({ accounts: 1, latenessMs });
    expect(await timed(node, id)).toEqual([
      TEST_NOON + 4 * HOUR_MS,
      // The carry of the same moment comes first, because it belongs to the day that ends.
      MIDNIGHT,
      MIDNIGHT,
      MIDNIGHT + 8 * HOUR_MS,
      MIDNIGHT + 16 * HOUR_MS,
      MIDNIGHT + DAY_MS,
      MIDNIGHT + DAY_MS,
    ]);
    const made = (await node.journal(id)).filter(({ event }) => dueOf(event) !== null);
    expect(new Set(made.map(({ atMs }) => atMs))).toEqual(new Set([node.now]));
    expect(await node.due.lag()).toEqual({
      waiting: 0,
      oldestDueAtMs: null,
      newestLatenessMs: latenessMs,
      awaited: [],
    });
    expect(await node.due.runDue()).toEqual({ accounts: 0, latenessMs: null });
    await expectSound();
  });

  test("due work neither runs twice nor is lost when the clock goes back, or jumps a day and back", async () => {
    const node = nodeAt(TEST_NOON);
    const id = await node.openFunded();
    await node.quote(BTCUSD, 50_000);
    await node.buy(id, BTCUSD, 1);
    const stops = [
      unixMs(MIDNIGHT + 1),
      unixMs(MIDNIGHT - 1),
      MIDNIGHT,
      unixMs(MIDNIGHT + DAY_MS),
      unixMs(MIDNIGHT + HOUR_MS),
      TEST_NOON,
      unixMs(MIDNIGHT + DAY_MS - 1),
      unixMs(MIDNIGHT + DAY_MS + 8 * HOUR_MS),
      unixMs(MIDNIGHT + 2 * DAY_MS),
    ];
    for (const stop of stops) {
      node.now = stop;
      await node.due.runDue();
    }
    const carries = [4, 12, 20, 28, 36, 44, 52, 60].map((hours) => TEST_NOON + hours * HOUR_MS);
    const days = [MIDNIGHT, MIDNIGHT + DAY_MS, MIDNIGHT + 2 * DAY_MS];
    expect(await timed(node, id)).toEqual([...carries, ...days].toSorted((a, b) => a - b));
    const rows = await database().query("select day_start_ms from daily_returns order by 1", []);
    expect(rows).toEqual(days.map((day) => ({ day_start_ms: String(day - DAY_MS) })));
    await expectSound();
  });

  test.each([
    ["a leap day", "2028-02-28T12:00:00Z", ["2028-02-28", "2028-02-29", "2028-03-01"]],
    ["no leap day", "2027-02-27T12:00:00Z", ["2027-02-27", "2027-02-28", "2027-03-01"]],
    ["the year's end", "2026-12-30T12:00:00Z", ["2026-12-30", "2026-12-31", "2027-01-01"]],
  ])("due work counts the days over %s", async (_case, start, days) => {
    const node = nodeAt(at(start));
    const id = await node.open();
    for (const _day of days) {
      const next = await node.due.nextDueMs(node.now);
      expect(next).toBe(nextUtcMidnight(node.now));
      node.now = next ?? node.now;
      expect(await node.due.runDue()).toEqual({ accounts: 1, latenessMs: 0 });
    }
    const rows = await database().query<{ day_start_ms: string }>(
      "select day_start_ms from daily_returns where account_id = $1 order by 1",
      [id],
    );
    const dates = rows.map((row) => new Date(Number(row.day_start_ms)).toISOString().slice(0, 10));
    expect(dates).toEqual(days);
  });

  test("due work waits for a price, is reported as waiting, and does not delay other accounts", async () => {
    const before = nodeAt(TEST_NOON);
    const [holder, idle] = [await before.openFunded(), await before.open()];
    await before.quote(BTCUSD, 50_000);
    await before.buy(holder, BTCUSD, 1);

    const blind = nodeAt(MIDNIGHT);
    expect(await blind.due.runDue()).toEqual({ accounts: 1, latenessMs: 0 });
    expect(await blind.due.runDue()).toEqual({ accounts: 0, latenessMs: null });
    expect(await timed(blind, idle)).toEqual([MIDNIGHT]);
    expect(await blind.due.lag()).toMatchObject({
      waiting: 1,
      oldestDueAtMs: TEST_NOON + 4 * HOUR_MS,
    });
    await blind.quote(BTCUSD, 50_000);
    await blind.due.runDue();
    expect(await timed(blind, holder)).toEqual([TEST_NOON + 4 * HOUR_MS, MIDNIGHT, MIDNIGHT]);
  });

  test("due work that fails compares its account less and less often, and runs once it can", async () => {
    const before = nodeAt(TEST_NOON);
    const holders = await Promise.all([1, 2, 3].map(() => before.openFunded()));
    await before.quote(BTCUSD, 50_000);
    for (const holder of holders) await before.buy(holder, BTCUSD, 1);

    const locks = { count: 0 };
    const blind = nodeAt(MIDNIGHT, countingCompares(database(), locks));
    for (let second = 0; second < 120; second += 1) {
      blind.now = unixMs(MIDNIGHT + second * 1000);
      expect(await blind.due.runUnblocked()).toEqual({ accounts: 0, latenessMs: null });
    }
    // The attempts come after 0, 1, 3, 7, 15, 31 and 63 seconds.
    expect(locks.count).toBe(7 * holders.length);
    await blind.quote(BTCUSD, 50_000);
    blind.now = unixMs(MIDNIGHT + 123_000);
    expect(await blind.due.runUnblocked()).toMatchObject({ accounts: holders.length });
    await expectSound();
  });

  test("due work that throws for one account is reported once and does not affect the others", async () => {
    const before = nodeAt(TEST_NOON);
    const [broken, idle] = [await before.open(), await before.open()];
    await database().query(
      `update account_states set state = replace(state, '"terms":', '"lost":') where account_id = $1`,
      [broken],
    );

    const node = createManualEngine(database(), { now: MIDNIGHT });
    expect(await node.due.runDue()).toEqual({ accounts: 1, latenessMs: 0 });
    await node.due.runDue();
    expect(await timed(node, idle)).toEqual([MIDNIGHT]);
    expect(node.faults).toMatchObject([{ message: expect.stringContaining("undefined") }]);
    // A command on the broken account throws, and a command on another one succeeds.
    const [closed, opened] = await Promise.allSettled([node.accounts.close(broken), node.open()]);
    expect([closed.status, opened.status]).toEqual(["rejected", "fulfilled"]);
  });

  test("due work runs once for each account on two concurrent nodes", async () => {
    const [one, other] = [nodeAt(TEST_NOON), nodeAt(TEST_NOON)];
    const ids = await Promise.all(Array.from({ length: 300 }, () => one.open()));
    one.now = MIDNIGHT;
    other.now = MIDNIGHT;
    const runs = await Promise.all([one.due.runDue(), other.due.runDue(), one.due.runDue()]);
    expect(runs.reduce((sum, { accounts }) => sum + accounts, 0)).toBe(ids.length);
    const rows = await database().query(
      `select max(seq)::int as seq, count(*)::int as lines from journal group by account_id`,
      [],
    );
    expect(rows).toEqual(ids.map(() => ({ seq: 2, lines: 2 })));
    await expectSound();
  });

  test("due work continues where a failing database interrupted it", async () => {
    const before = nodeAt(TEST_NOON);
    const ids = await Promise.all(Array.from({ length: 300 }, () => before.open()));
    const failing = failingAfter(database(), 1);
    const cut = nodeAt(MIDNIGHT, failing);
    await expect(cut.due.runDue()).rejects.toThrow();
    expect(await endedDays()).toBe(100);
    const node = nodeAt(MIDNIGHT);
    expect(await node.due.runDue()).toEqual({ accounts: ids.length - 100, latenessMs: 0 });
    expect(await endedDays()).toBe(ids.length);
    await expectSound();
  });

  const endedDays = async (): Promise<number> => {
    const rows = await database().query<{ days: number }>(
      "select count(*)::int as days from daily_returns",
      [],
    );
    return rows[0]?.days ?? 0;
  };

  test("an order that is refused right after midnight still ends the day [D7.clockWork]", async () => {
    const node = nodeAt(TEST_NOON);
    const terms = { ...TEST_TERMS, criteria: "trailing" } as const;
    const owner = { ownerId: TEST_OWNER, provisioned: true };
    const id = await node.accounts.open({ ...owner, terms });
    await node.quote(BTCUSD, 50_000);
    await node.buy(id, BTCUSD, 1.5);
    // The limit at the end of a day is 5 % below the account's start, and no single day loses that much.
    await node.quote(BTCUSD, 48_000);
    node.now = MIDNIGHT;
    await node.due.runDue();
    node.now = unixMs(MIDNIGHT + 12 * HOUR_MS);
    await node.due.runDue();
    await node.quote(BTCUSD, 46_400);
    node.now = unixMs(MIDNIGHT + DAY_MS);
    const order = { type: "cancelOrders", target: "all", pair: null } as const;
    const placed = await node.network.carryOut(id, order, { by: "operator" });
    expect(placed).toMatchObject({ ok: false, refusal: { code: "accountEliminated" } });

    // The price recovers before the due work runs. The elimination is still right.
    await node.quote(BTCUSD, 50_000);
    await node.due.runDue();
    expect(node.cache.get(id)?.state.status).toBe("eliminated");
    expect((await node.journal(id)).at(-1)?.event.type).toBe("accountEliminated");
    await expectSound();
  });
});

/** A database that counts the accounts whose versions its batches compare. */
function countingCompares(database: Database, compared: { count: number }): Database {
  return {
    ...database,
    query(text, parameters) {
      if (isBatch(text)) {
        const [, unchanged, , , changed] = parameters ?? [];
        for (const ids of [unchanged, changed])
          if (Array.isArray(ids)) compared.count += ids.length;
      }
      return database.query(text, parameters);
    },
  };
}

/** A database whose writes of batches fail after this many batches. */
function failingAfter(database: Database, batches: number): Database {
  let left = batches;
  return {
    ...database,
    query(text, parameters) {
      if (isBatch(text)) left -= 1;
      return left < 0
        ? Promise.reject(new Error("the disk is full"))
        : database.query(text, parameters);
    },
  };
}

function isBatch(text: string): boolean {
  return text.includes("for no key update of a");
}
