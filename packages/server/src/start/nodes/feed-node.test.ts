import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createHousekeeping } from "../../../../base/src/housekeeping.ts";
import { createSharedBus } from "../../../../cluster/src/bus/shared-bus.ts";
import type { LeaseStore } from "../../../../ledger/src/storage/leases/lease-store.ts";
import { createMadeMessageHub, type MadeMessageHub } from "../../testing/made-transport.ts";
import { createManualTime } from "../../testing/manual-time.ts";
import { createModelLeases, type ModelLeases } from "../../testing/model-leases.ts";
import { SMALL_CATALOGUE } from "../../testing/small-market.ts";
import { createFeedNode } from "./feed-node.ts";
import { FEED_LEASE } from "./lease-names.ts";
import { RIGHT_CLOCK } from "./node-clock.ts";

const START_MS = Date.UTC(2026, 2, 3, 12);
const STEP_MS = 100;

/**
 * Creates a node that may become the feed, and starts its jobs. The tests replace the functions of the result, so that
 * storing, starting or renewing fails.
 */
function createNode(hub: MadeMessageHub, table: ModelLeases) {
  const time = createManualTime(START_MS);
  const { clock, timer } = time;
  const node = randomUUID();
  const faults: string[] = [];
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (_about: object, text?: string) => void faults.push(String(text)),
  };
  const around = { node, clock, timer, steadyClock: { nowMs: () => clock.now() }, log };
  const state = {
    runs: false,
    storing: async (): Promise<void> => undefined,
    starting: async (): Promise<void> => undefined,
    renewing: async (): Promise<void> => undefined,
  };
  const leases: LeaseStore = {
    ...table.store,
    async renew(...given) {
      await state.renewing();
      return table.store.renew(...given);
    },
  };
  const bus = createSharedBus({
    ...around,
    transport: hub.node(),
    installation: "test",
    sealKeys: [new Uint8Array(32)],
    instruments: SMALL_CATALOGUE,
    feedEpoch: () => table.store.epochOf(FEED_LEASE),
  });
  const feed = createFeedNode({
    ...around,
    bus,
    leases,
    isCandidate: true,
    nodeClock: RIGHT_CLOCK,
    epochs: { lastKnown: async () => 0, store: () => state.storing() },
    intake: { beginEpoch: () => undefined },
    prices: {
      async start() {
        await state.starting();
        state.runs = true;
      },
      async stop() {
        state.runs = false;
      },
    },
    board: { halt: () => undefined, lift: () => undefined },
    market: { runBetweenQuotes: async (change) => change() },
    instruments: SMALL_CATALOGUE,
  });
  createHousekeeping(around).start(feed.jobs);
  return Object.assign(state, { bus, time, faults });
}

type Node = ReturnType<typeof createNode>;

async function pass(table: ModelLeases, nodes: readonly Node[], ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
    table.pass(STEP_MS);
    for (const { time } of nodes) await time.pass(STEP_MS);
    await setImmediate();
  }
}

describe("a node that is given the feed", () => {
  test("a node that is given the feed and cannot store its epoch gives the lease back, and is the feed when it can", async () => {
    const [hub, table] = [createMadeMessageHub(), createModelLeases()];
    const node = createNode(hub, table);
    node.storing = () => Promise.reject(new Error("the database is away"));
    await pass(table, [node], 5_000);
    expect([node.runs, node.bus.isCut]).toEqual([false, true]);
    expect(node.faults).toContain("the price feed could not be started or stopped");
    node.storing = async () => undefined;
    await pass(table, [node], 3_000);
    expect([node.runs, node.bus.isCut]).toEqual([true, false]);
  });

  test("a node that is given the feed and cannot start its sources leaves the feed to another node", async () => {
    const [hub, table] = [createMadeMessageHub(), createModelLeases()];
    const broken = createNode(hub, table);
    broken.starting = () => Promise.reject(new Error("no source"));
    await pass(table, [broken], 5_500);
    const sound = createNode(hub, table);
    await pass(table, [broken, sound], 10_000);
    expect([broken.runs, sound.runs]).toEqual([false, true]);
    expect([broken.bus.isCut, sound.bus.isCut]).toEqual([false, false]);
  });

  test("a node that is given the feed stays the feed when one renewal fails", async () => {
    const [hub, table] = [createMadeMessageHub(), createModelLeases()];
    const node = createNode(hub, table);
    await pass(table, [node], 5_000);
    const epoch = await table.store.epochOf(FEED_LEASE);
    let renewals = 0;
    node.renewing = async () => {
      renewals += 1;
      if (renewals === 1) throw new Error("the connection broke");
    };
    await pass(table, [node], 10_000);
    expect(renewals).toBeGreaterThan(2);
    expect([node.runs, await table.store.epochOf(FEED_LEASE)]).toEqual([true, epoch]);
  });

  test("a node that is given the feed gets an epoch that nodes listen to, after a database has lost the newest ones", async () => {
    const [hub, table] = [createMadeMessageHub(), createModelLeases()];
    const node = createNode(hub, table);
    await pass(table, [node], 5_000);
    node.renewing = () => Promise.reject(new Error("the connection broke"));
    await pass(table, [node], 5_000);
    node.renewing = async () => undefined;
    await pass(table, [node], 3_000);
    expect(await table.store.epochOf(FEED_LEASE)).toBe(2);
    table.loseRows();
    await pass(table, [node], 10_000);
    expect(await table.store.epochOf(FEED_LEASE)).toBe(2);
    expect([node.runs, node.bus.isCut]).toEqual([true, false]);
  });
});
