import {
  createSerialQueue,
  delay,
  type Job,
  type Log,
  type Stopwatch,
  type Timer,
} from "@propgate/base";
import { createLeaseKeeper, leaseJobs, type SharedBus } from "@propgate/cluster";
import type { Instruments, PairId } from "@propgate/core";
import type { Lease, LeaseStore } from "@propgate/ledger";
import type { FeedEpochs, MarketLoop, QuoteBoard, QuoteIntake } from "@propgate/market";
import { FEED_LEASE } from "./lease-names.ts";
import type { NodeClock } from "./node-clock.ts";

const TICK_MS = 1_000;
const HALT_EVERY_MS = 100;
/** A start waits at most this long until the bus works, and then at most this long for the first prices. */
const FIRST_PRICES_MS = 3_000;
const LOOK_EVERY_MS = 20;

export interface FeedNodeOptions {
  readonly bus: SharedBus;
  readonly leases: LeaseStore;
  /** The id of this process. */
  readonly node: string;
  /** False for a node that never becomes the feed and only listens. */
  readonly isCandidate: boolean;
  /** The clock of this node. While it is wrong, this node is not the feed. */
  readonly nodeClock: Pick<NodeClock, "problem">;
  readonly steadyClock: Stopwatch;
  readonly timer: Timer;
  readonly epochs: FeedEpochs;
  readonly intake: Pick<QuoteIntake, "beginEpoch">;
  /** The sources of prices, which run while this node is the feed. */
  readonly prices: { start(): Promise<void>; stop(): Promise<void> };
  readonly board: Pick<QuoteBoard, "halt" | "lift">;
  readonly market: Pick<MarketLoop, "runBetweenQuotes">;
  readonly instruments: Instruments;
  readonly log: Pick<Log, "info" | "error">;
}

/** A node among those that share a bus. It claims the lease of the feed, and is the feed while it holds the lease. */
export interface FeedNode {
  /** Resolves when the first prices have arrived, or after a limited wait without them. */
  start(): Promise<void>;
  readonly jobs: readonly Job[];
  /** True while the board's quotes fill no order, because newer quotes may be missing. */
  readonly isHalted: boolean;
  /** Releases the lease, so that another node can be the feed. */
  stop(): Promise<void>;
}

export function createFeedNode(options: FeedNodeOptions): FeedNode {
  const { bus, intake, log, timer } = options;
  const turns = createSerialQueue();
  let isStopped = false;
  let isHalted = false;

  /**
   * False while this node's clock differs too much from the database's. Then this node is not the feed.
   * @rule D12.oneClock
   */
  const isClockRight = (): boolean => options.nodeClock.problem() === null;
  const report = (cause: unknown): void => {
    log.error({ err: cause }, "the price feed could not be started or stopped");
  };
  const lead = async (lease: Lease): Promise<void> => {
    if (!keeper.holds(lease)) return;
    await options.epochs.store(lease.epoch);
    if (!keeper.holds(lease)) return;
    log.info({ epoch: lease.epoch }, "this node is the price feed now");
    intake.beginEpoch(lease.epoch);
    bus.becomeFeed({
      epoch: lease.epoch,
      isHeld: () => isClockRight() && keeper.holds(lease),
      // The lease is released so that the next claim gets an epoch above every epoch that this node has seen.
      onEpochUsed: () => inTurn(() => keeper.releaseAll()),
    });
    await options.prices.start();
  };
  /**
   * Makes this node the feed. If that fails, it releases the lease: if this node kept the lease, no node would send
   * prices.
   */
  const becomeFeed = async (lease: Lease): Promise<void> => {
    try {
      await lead(lease);
    } catch (cause) {
      report(cause);
      if (keeper.holds(lease)) await keeper.releaseAll();
    }
  };
  const lost = async ({ epoch }: Lease): Promise<void> => {
    log.info({ epoch }, "this node is no longer the price feed");
    bus.endFeed();
    await options.prices.stop();
  };
  const inTurn = (work: () => Promise<void>): void => {
    turns.run(work).catch(report);
  };
  const keeper = createLeaseKeeper({
    ...options,
    store: options.leases,
    owner: options.node,
    clock: options.steadyClock,
    wantedNames: () =>
      options.isCandidate && bus.isWorking && !isStopped && isClockRight() ? [FEED_LEASE] : [],
    epochAbove: () => options.epochs.lastKnown(),
    onGained: (lease) => inTurn(() => becomeFeed(lease)),
    onLost: (lease) => inTurn(() => lost(lease)),
  });
  /** Halts the board's quotes while no new ones can arrive: meanwhile they trigger no order and fill none. */
  const haltWhileCut = async (): Promise<void> => {
    const isCut = bus.isCut;
    if (isCut === isHalted) return;
    const mark = (pair: PairId): void => options.board[isCut ? "halt" : "lift"](pair, "bus");
    await options.market.runBetweenQuotes(() => {
      for (const pair of options.instruments.keys()) mark(pair);
    });
    isHalted = isCut;
  };

  return {
    async start() {
      for (let ms = 0; ms < FIRST_PRICES_MS && !bus.isWorking; ms += LOOK_EVERY_MS) {
        await delay(timer, LOOK_EVERY_MS);
      }
      await keeper.claim();
      for (let ms = 0; ms < FIRST_PRICES_MS && bus.isCut; ms += LOOK_EVERY_MS) {
        await delay(timer, LOOK_EVERY_MS);
      }
      await haltWhileCut();
    },
    get isHalted() {
      return isHalted;
    },
    jobs: [
      { name: "quote bus", everyMs: TICK_MS, run: async () => bus.tick() },
      { name: "halt without quotes", everyMs: HALT_EVERY_MS, run: haltWhileCut },
      ...leaseJobs("lease", keeper),
    ],
    async stop() {
      isStopped = true;
      await keeper.releaseAll();
      await turns.run(async () => undefined);
    },
  };
}
