/**
 * Composes the trading network for the service, the sandbox and the tests; only the clock, chance and prices
 * differ between them.
 */

import type { Chance, Clock, Timer } from "@propgate/base";
import type { Forwarding } from "@propgate/cluster";
import {
  type CorporateActions,
  type FundingRates,
  type Instruments,
  type QuoteMap,
  unixMs,
} from "@propgate/core";
import {
  type AccountIndex,
  type AccountOwnership,
  type ActionDesk,
  addedLines,
  asOne,
  type BestsOf,
  type CommitObserver,
  createActionDesk,
  createFundingDesk,
  type DueWork,
  type Executor,
  type ExecutorOptions,
  executorUnless,
  type FundingDesk,
  type Ledger,
  type LinesOfFuture,
  type NotCarriedOut,
  type Ownership,
  openLedger,
  type PerShard,
  perShard,
  type QuoteBarrier,
  type Shards,
  type StateCache,
  shardAt,
  shardedDueWork,
  shardedExecutor,
  shardedIndex,
  shardedOwnership,
  shardedStates,
} from "@propgate/ledger";
import {
  createMarketLoop,
  createQuoteBarrier,
  HOURLY_VENUES,
  type MarketLoop,
  type QuoteBoard,
  type QuoteIntake,
  type ReceivedPlaces,
  type TapeReader,
} from "@propgate/market";
import { recallReceipt, rememberAnswer } from "@propgate/wire";
import {
  createEngineShard,
  createShardDecider,
  type EngineShard,
  type ShardDecider,
} from "./shards/engine-shard.ts";

export interface EngineOptions {
  readonly databases: Shards;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly instruments: Instruments;
  readonly accountsPerOwner: number | null;
  readonly board: QuoteBoard;
  readonly intake: QuoteIntake;
  /** The price source's name. */
  readonly source: string;
  /** This process's tape; none when prices are not recorded. */
  readonly tape?: TapeReader | null | undefined;
  readonly timer: Timer;
  /** The bus of several nodes; none in a process that makes its own quotes. */
  readonly sharedBus?: ReceivedPlaces | null | undefined;
  /** Commands of one transaction; the executor's own limit unless given. */
  readonly batchMax?: number;
  readonly onFault: (cause: unknown) => void;
  /**
   * Whether the database of this number fails: then commands of prices and of the clock wait. When absent, no database
   * fails.
   */
  readonly isAtFault?: ((database: number) => boolean) | undefined;
  /** The accounts of each database that this node decides, among several nodes; all unless given. */
  readonly ownerships?: PerShard<Ownership> | undefined;
  /** Forwards the commands of the other accounts to their owners; needs `ownerships`. */
  readonly openForwarding?:
    | ((within: {
        readonly clock: Clock;
        readonly onFault: (cause: unknown) => void;
      }) => Forwarding)
    | undefined;
  /** When absent, the clock counts as right. */
  readonly isClockWrong?: (() => boolean) | undefined;
  /** Why nothing may be carried out now; null when it may. When absent, everything may. */
  readonly barredBy?: (() => NotCarriedOut | null) | undefined;
  /** Observes commits; nothing does unless given. */
  readonly commits?: CommitObserver | undefined;
}

export interface Engine extends Ledger {
  /** One for each database. */
  readonly parts: PerShard<EngineShard>;
  readonly executor: Executor;
  /** The counts of commands that this node forwarded; null in a single process. */
  readonly forwarded: Forwarding["figures"] | null;
  readonly cache: StateCache;
  /** The accounts of this process that a wrong clock has left with a line in the future; null when there is none. */
  readonly linesOfFuture: () => LinesOfFuture | null;
  /** How far this process has shown the quotes of the feed. */
  readonly barrier: QuoteBarrier;
  /** All embedded accounts, for lists by figures that move with prices. */
  readonly index: AccountIndex;
  readonly market: MarketLoop;
  readonly due: DueWork;
  readonly actions: ActionDesk;
  readonly funding: FundingDesk;
  /** Carries out due corporate actions on all accounts; returns how many had one. Call it every second. */
  carryOutActions(): Promise<number>;
  /** Records the best prices that trailing stops have followed, before the process stops. */
  recordStops(): Promise<void>;
  /** Loads the accounts that depend on prices, unless a node takes them over; call it before prices come. */
  restore(): Promise<void>;
}

export function createEngine(options: EngineOptions): Engine {
  const { databases, clock, instruments, board, onFault } = options;
  const actions = createActionDesk({ databases, clock, instruments, quotes: board.quotes });
  const quotes = adjustedQuotes({ ...options, actions });
  const funding = createFundingDesk({ databases, clock, instruments, venues: HOURLY_VENUES });
  const announced = {
    actions: (): CorporateActions => actions.current,
    funding: (): FundingRates => funding.current,
  };
  const bests: BestsOf = (account, version) => market.bests(account, version);
  const barrier = barrierOf(options, () => market.firstWaiting());
  const forwarding = options.openForwarding?.(options);
  const deciders = decidersOf(options, { ...announced, barrier, quotes, bests, forwarding });
  const cache = asOne(
    perShard(deciders, (decider) => decider.cache),
    shardedStates,
  );
  const ownership = ownershipOf(options);
  const anytime = executorOf(options, deciders);
  if (ownership !== undefined) forwarding?.serve({ local: anytime, ownership, cache });
  const executor =
    options.barredBy === undefined ? anytime : executorUnless(options.barredBy, anytime);
  const market = createMarketLoop({ ...options, executor, ownership });
  const ledger = openLedger({
    databases,
    executor,
    cache,
    ownerships: options.ownerships,
    clock,
    chance: options.chance,
    instruments,
    quotes,
    bests,
    actions,
    funding,
    accountsPerOwner: options.accountsPerOwner,
    onFault,
  });
  followHistories({ cache, market, ownership });
  const { present } = ledger;
  const parts = perShard(deciders, (decider) =>
    createEngineShard(decider, { ...options, executor, market, present }),
  );
  const together = togetherOf(parts);
  return {
    ...ledger,
    parts,
    executor,
    forwarded: forwarding?.figures ?? null,
    cache,
    linesOfFuture: () => addedLines(parts.map((part) => part.linesOfFuture())),
    barrier,
    market,
    ...together,
    actions,
    funding,
    async carryOutActions() {
      await Promise.all([actions.refresh(), funding.refresh()]);
      // The watch sees the board: it needs the adjusted quotes even when nothing is decided.
      quotes();
      return ledger.carryOut.run();
    },
    recordStops: () => ledger.stops.record(market.followed()),
    async restore() {
      await readFinalFunding({ funding, ...together });
      await Promise.all([actions.refresh(), funding.refresh()]);
      // The first quote is compared in the scale of after the actions that were missed.
      quotes();
      await Promise.all(parts.map((part) => part.restore()));
    },
  };
}

/** Reads the funding rates that accounts may still be charged by. Call it every minute. */
export async function readFinalFunding({ funding, due }: Pick<Engine, "funding" | "due">) {
  await funding.readFinal(await due.nextDueMs(unixMs(0)));
}

/** The work and the accounts of all databases. */
function togetherOf(parts: PerShard<EngineShard>): Pick<Engine, "index" | "due"> {
  return {
    index: asOne(
      perShard(parts, (part) => part.index),
      shardedIndex,
    ),
    due: asOne(
      perShard(parts, (part) => part.due),
      shardedDueWork,
    ),
  };
}

/** When an account has lost lines, everything that was remembered of it goes. */
function followHistories(parts: {
  readonly cache: StateCache;
  readonly market: MarketLoop;
  readonly ownership: AccountOwnership | undefined;
}): void {
  const { cache, market, ownership } = parts;
  cache.onHistoryChanged((id, account) => {
    market.forget((watched) => watched === id);
    const isOurs = ownership === undefined || ownership.leaseOf(id) !== null;
    if (account !== null && isOurs) market.takeOver([account]);
  });
}

function decidersOf(
  options: EngineOptions,
  moment: Pick<
    ExecutorOptions,
    "actions" | "funding" | "barrier" | "quotes" | "bests" | "forwarding"
  >,
): PerShard<ShardDecider> {
  const { databases, board, instruments, ownerships } = options;
  return perShard(databases.all, (database, number) =>
    createShardDecider({
      ...options,
      ...moment,
      forwarding: moment.forwarding,
      databases: databases.all.length,
      database,
      ownership: ownerships === undefined ? undefined : shardAt(ownerships, number),
      quoteOrigin: (pair) => board.origin(pair),
      remember: (answer) => rememberAnswer(answer, instruments),
      recall: recallReceipt,
      observer: options.commits,
    }),
  );
}

function barrierOf(
  { sharedBus = null, intake, ...options }: EngineOptions,
  firstWaiting: MarketLoop["firstWaiting"],
): QuoteBarrier {
  const epoch = (): number => intake.epoch;
  return createQuoteBarrier({ ...options, bus: sharedBus, epoch, firstWaiting });
}

function ownershipOf({ ownerships }: EngineOptions): AccountOwnership | undefined {
  return ownerships === undefined ? undefined : asOne(ownerships, shardedOwnership);
}

/** The executor of all accounts. */
function executorOf(
  { timer, isAtFault = () => false }: EngineOptions,
  deciders: PerShard<ShardDecider>,
): Executor {
  const guarded = perShard(deciders, ({ executor }, number) => ({
    executor,
    isAtFault: () => isAtFault(number),
  }));
  // The failure of a single database delays no other one.
  return deciders.length === 1 ? deciders[0].executor : shardedExecutor(guarded, timer);
}

/** The board's quotes, adjusted for every corporate action that is due, before a decision sees them. */
function adjustedQuotes({
  board,
  actions,
  clock,
  isClockWrong = () => false,
}: Pick<EngineOptions, "board" | "clock" | "isClockWrong"> & {
  readonly actions: ActionDesk;
}): () => QuoteMap {
  let nextAtMs: number = Number.POSITIVE_INFINITY;
  actions.onChange(() => {
    nextAtMs = Number.NEGATIVE_INFINITY;
  });
  return () => {
    const now = clock.now();
    // A clock that is ahead would adjust them for actions of the future, and later quotes with them.
    // @rule D12.oneClock
    if (now >= nextAtMs && !isClockWrong()) {
      board.adjust(actions.current, now);
      const later = [...actions.current.values()].flat().map(({ atMs }) => atMs);
      nextAtMs = Math.min(...later.filter((atMs) => atMs > now));
    }
    return board.quotes;
  };
}
