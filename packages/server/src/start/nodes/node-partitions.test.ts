import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { createHousekeeping } from "../../../../base/src/housekeeping.ts";
import type { Database } from "../../../../ledger/src/storage/databases/database.ts";
import { PARTITIONS } from "../../../../ledger/src/storage/rows/partition.ts";
import { createShards } from "../../../../ledger/src/storage/shards/shards.ts";
import { createQuoteBoard } from "../../../../market/src/prices/quote-board.ts";
import { createNodeStore } from "../../storage/node-store.ts";
import { createManualTime } from "../../testing/manual-time.ts";
import { openTestDatabase } from "../../testing/open-test-database.ts";
import { SMALL_CATALOGUE } from "../../testing/small-market.ts";
import { openNodePartitions } from "./node-partitions.ts";
import { MOVE_AFTER_MS } from "./share-duty.ts";

const START_MS = Date.UTC(2026, 2, 3, 12);
const STEP_MS = 100;
/** The number of partitions that are taken over together. */
const TOGETHER_MAX = 32;
const NO_FIGURES = { holders: [], unjudged: [], awaited: [], linesOfFuture: null };
/** An account that was decided at a quote which this node has not shown. */
const AHEAD = {
  state: { accountId: "00000000-0000-4000-8000-000000000000", positions: [], orders: [] },
  version: 1,
  place: { epoch: 9, number: 13 },
};

describe("the partitions of the only node", () => {
  let real: Database;
  beforeEach(async () => {
    real = await openTestDatabase();
    return () => real.close();
  });

  const make = async () => {
    const node = randomUUID();
    await real.query(
      `insert into nodes (node_id, release, state_format, catalogue, seen_at_ms, roles, has_bus, process)
       values ($1, '', 1, '', 1e15, '', true, '')`,
      [node],
    );
    const store = createNodeStore(real);
    const time = createManualTime(START_MS);
    const disturbed = {
      loadFails: (_partition: number | undefined): boolean => false,
      isLost: (_statement: string): boolean => false,
      /** Whether the node's accounts were decided at quotes that never come. */
      lacksQuotes: false,
      clockProblem: null as string | null,
      priceProblem: null as string | null,
      doOthersDecide: false,
    };
    let pending = 0;
    let forgotten = 0;
    const database: Database = {
      ...real,
      async query(text, parameters) {
        if (disturbed.isLost(text)) throw new Error("the connection broke");
        pending += 1;
        return real.query(text, parameters).finally(() => {
          pending -= 1;
        }) as never;
      },
    };
    const log = { info: () => undefined, error: () => undefined };
    const partitions = openNodePartitions({
      nodeBus: { bus: { isCut: false, problem: () => disturbed.priceProblem }, node } as never,
      databases: createShards([database]),
      instruments: SMALL_CATALOGUE,
      board: createQuoteBoard(),
      clock: time.clock,
      steadyClock: { nowMs: () => time.clock.now() },
      timer: time.timer,
      tape: null,
      log: log as never,
      nodeClock: { problem: () => disturbed.clockProblem },
      isCandidate: true,
      membership: {
        claimWork: () => store.setRoles(node, ["engine"]),
        withdrawWork: () => store.setRoles(node, []),
        leave: async () => undefined,
        figuresOfOthers: () => [{ ...NO_FIGURES, decides: disturbed.doOthersDecide }],
      },
      engine: () =>
        ({
          shards: [
            {
              cache: {
                async loadExposed(partition?: number) {
                  if (disturbed.loadFails(partition)) throw new Error("it was rolled back");
                  return disturbed.lacksQuotes && partition !== undefined ? [AHEAD] : [];
                },
              },
              executor: { idle: async () => undefined },
            },
          ],
          market: {
            watchedVersion: () => 0,
            watchAccounts: () => undefined,
            forget() {
              forgotten += 1;
            },
          },
          barrier: {
            allows: () => !disturbed.lacksQuotes,
            wait: (_quotes: unknown, forMs: number) =>
              new Promise((resolve) => time.timer.after(forMs, () => resolve(false))),
          },
        }) as never,
    });
    if (partitions === null) throw new Error("a node with a bus allows partitions");
    const settle = async (): Promise<void> => {
      do await setImmediate();
      while (pending > 0);
      await setImmediate();
    };
    const pass = async (ms: number): Promise<void> => {
      for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
        await time.pass(STEP_MS);
        await settle();
      }
    };
    const housekeeping = createHousekeeping({ clock: time.clock, timer: time.timer, log });
    return {
      disturbed,
      pass,
      /** Starts the node. A partition that it cannot take over at first is tried again. */
      start: () => partitions.start(housekeeping).catch(() => undefined),
      owned: () => partitions.figures()[0].owned,
      /** The number of partitions whose accounts the node decides. */
      decided: () => partitions.ownerships[0].partitions().length,
      leases: async () => {
        const [row] = await real.query<{ readonly leases: number }>(
          "select count(*)::int as leases from leases where owner = $1 and lease_until > clock_timestamp()",
          [node],
        );
        return row?.leases;
      },
      /** How often the node gave partitions up or lost them. */
      forgotten: () => forgotten,
    };
  };

  test("the partitions of the only node are owned half a second after the last of several failed take-overs", async () => {
    const { disturbed, start, pass, owned } = await make();
    disturbed.loadFails = () => true;
    void start();
    await pass(10_000);
    expect(owned()).toBe(0);
    disturbed.loadFails = () => false;
    await pass(600);
    expect(owned()).toBe(PARTITIONS);
  });

  test("the partitions of the only node hold a start up for seconds only while their accounts lack quotes, and none is lost meanwhile", async () => {
    const { disturbed, start, pass, owned, forgotten } = await make();
    disturbed.lacksQuotes = true;
    let isStarted = false;
    void start().then(() => {
      isStarted = true;
    });
    await pass(20_000);
    expect([isStarted, forgotten(), owned()]).toEqual([true, 0, PARTITIONS]);
  });

  test("the partitions of the only node stay owned when one renewal fails", async () => {
    const { disturbed, start, pass, owned, forgotten } = await make();
    void start();
    await pass(3_000);
    expect(owned()).toBe(PARTITIONS);
    let failures = 0;
    disturbed.isLost = (statement) => {
      const isRenewal = statement.includes("update leases set lease_until = clock_timestamp() +");
      if (!isRenewal || failures > 0) return false;
      failures += 1;
      return true;
    };
    await pass(8_000);
    expect([failures, forgotten(), owned()]).toEqual([1, 0, PARTITIONS]);
  });

  test("the partitions of the only node are owned although one of them cannot be loaded", async () => {
    const { disturbed, start, pass, owned } = await make();
    disturbed.loadFails = (partition) => partition === 7;
    void start();
    await pass(3_000);
    expect(owned()).toBeGreaterThanOrEqual(PARTITIONS - TOGETHER_MAX);
    disturbed.loadFails = () => false;
    await pass(600);
    expect(owned()).toBe(PARTITIONS);
  });

  test("the partitions of the only node are not claimed while its clock is wrong, and given up when it becomes so [D12.oneClock]", async () => {
    const { disturbed, start, pass, owned, decided, leases } = await make();
    disturbed.clockProblem = "the clock of this node is 8.0 s behind the database's";
    void start();
    await pass(10_000);
    expect([owned(), decided(), await leases()]).toEqual([0, 0, 0]);
    disturbed.clockProblem = null;
    await pass(3_000);
    expect([owned(), decided(), await leases()]).toEqual([PARTITIONS, PARTITIONS, PARTITIONS]);
    disturbed.clockProblem = "the clock of this node is 10800.0 s ahead of the database's";
    expect(decided()).toBe(0);
    await pass(3_000);
    expect([owned(), decided(), await leases()]).toEqual([0, 0, 0]);
  });

  test("the partitions of the only node are not claimed before it has the feed's prices [D12.claims]", async () => {
    const { disturbed, start, pass, leases } = await make();
    disturbed.priceProblem = "there is no connection to NATS";
    void start();
    await pass(10_000);
    expect(await leases()).toBe(0);
    disturbed.priceProblem = null;
    await pass(3_000);
    expect(await leases()).toBe(PARTITIONS);
  });

  test("the partitions of a node without prices are left to nodes that have them, and kept while none has them [D12.claims]", async () => {
    const { disturbed, start, pass, leases, forgotten } = await make();
    void start();
    await pass(3_000);
    disturbed.priceProblem = "no node sends prices";
    await pass(3 * MOVE_AFTER_MS);
    expect([await leases(), forgotten()]).toEqual([PARTITIONS, 0]);
    disturbed.doOthersDecide = true;
    await pass(MOVE_AFTER_MS + 3_000);
    expect(await leases()).toBe(0);
  });
});
