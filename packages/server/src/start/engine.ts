/**
 * Composes the trading network for the service, the sandbox and the tests. They differ in the clock, chance and prices
 * that they pass in.
 */

import type { Chance, Clock, Timer } from "@propgate/base";
import type { Forwarding } from "@propgate/cluster";
import type { AccountId, Instruments, QuoteMap } from "@propgate/core";
import {
  type ActionDesk,
  type CommitObserver,
  type Ledger,
  type NotCarriedOut,
  type Ownership,
  openDeciders,
  openLedger,
  type PerShard,
  type QuoteBarrier,
  type Shards,
  type StateCache,
} from "@propgate/ledger";
import {
  createMarketLoop,
  createQuoteBarrier,
  HOURLY_VENUES,
  type MarketLoop,
  type QuoteBoard,
  type QuoteIntake,
  type ReceivedQuotes,
  type TapeReader,
} from "@propgate/market";
import { receiptOfStoredAnswer, storedAnswerText } from "@propgate/wire";
import { takeOver } from "./take-over.ts";

export interface EngineOptions {
  readonly databases: Shards;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly instruments: Instruments;
  readonly accountsPerOwner: number | null;
  readonly board: QuoteBoard;
  readonly intake: QuoteIntake;
  /** The name of the price source. */
  readonly source: string;
  /** The tape of this process; absent or null when prices are not recorded. */
  readonly tape?: TapeReader | null | undefined;
  readonly timer: Timer;
  readonly networkTimeoutMs: number;
  /** The bus that several nodes share; absent or null in a process that makes its own quotes. */
  readonly sharedBus?: ReceivedQuotes | null | undefined;
  /** The maximum number of commands in one transaction; absent for the executor's default. */
  readonly batchMax?: number;
  readonly onFault: (cause: unknown) => void;
  /**
   * Whether the database with this number fails. While one of several databases fails, commands of prices and of the
   * clock on its accounts fail immediately.
   */
  readonly isAtFault: (database: number) => boolean;
  /** For each database, the accounts that this node decides among several nodes; absent when it decides all. */
  readonly ownerships?: PerShard<Ownership> | undefined;
  /** Opens the forwarding of commands on accounts that another node decides, to that node. It needs `ownerships`. */
  readonly openForwarding?:
    | ((within: {
        readonly clock: Clock;
        readonly onFault: (cause: unknown) => void;
      }) => Forwarding)
    | undefined;
  /** True while the clock of this node is wrong. Absent when the clock counts as right. */
  readonly isClockWrong?: (() => boolean) | undefined;
  /** The reason why no command on the account may be carried out at present; null when commands may be. */
  readonly barredBy: (account: AccountId) => NotCarriedOut | null;
  /** Observes the executor's commits, for metrics; absent when nothing observes them. */
  readonly commits?: CommitObserver | undefined;
}

/** The composed trading network of this process, with the market that triggers its orders. */
export interface Engine extends Ledger {
  /** The counts of commands that this node forwarded; null in a process without other nodes. */
  readonly forwarded: Forwarding["figures"] | null;
  /** Delays decisions until this process has the quotes of the feed that they need. */
  readonly barrier: QuoteBarrier;
  readonly market: MarketLoop;
}

export function createEngine(options: EngineOptions): Engine {
  const { databases, clock, instruments, board, timer, onFault } = options;
  const barrier = createBarrier(options, () => market.firstWaitingQuotes());
  const forwarding = options.openForwarding?.(options);
  const deciders = openDeciders({
    databases,
    ownerships: options.ownerships,
    clock,
    timer,
    instruments,
    board,
    venues: HOURLY_VENUES,
    quotes: () => quotes(),
    quoteOrigin: (pair) => board.origin(pair),
    bests: (account, version) => market.bests(account, version),
    barrier,
    remember: (answer) => storedAnswerText(answer, instruments),
    recall: receiptOfStoredAnswer,
    forwarding,
    batchMax: options.batchMax,
    observer: options.commits,
    isAtFault: options.isAtFault,
    barredBy: options.barredBy,
    onFault,
  });
  const { executor, cache, ownership, actions } = deciders;
  const quotes = createAdjustedQuotes({ ...options, actions });
  if (ownership !== undefined)
    forwarding?.serve({ local: deciders.unbarredExecutor, ownership, cache });
  const market = createMarketLoop({ ...options, executor, ownership });
  const ledger = openLedger({
    databases,
    deciders,
    clock,
    timer,
    chance: options.chance,
    instruments,
    board,
    quotes,
    market,
    watch: (accounts) => takeOver({ ...options, market }, accounts),
    accountsPerOwner: options.accountsPerOwner,
    networkTimeoutMs: options.networkTimeoutMs,
    onFault,
  });
  followHistories({ cache, market, ownership });
  return { ...ledger, forwarded: forwarding?.figures ?? null, barrier, market };
}

/**
 * Lets the market follow accounts that have lost journal lines: it stops watching such an account. It then watches the
 * account again from the stored state, if there is one and this node decides the account.
 */
function followHistories(parts: {
  readonly cache: StateCache;
  readonly market: MarketLoop;
  readonly ownership: Pick<Ownership, "leaseOf"> | undefined;
}): void {
  const { cache, market, ownership } = parts;
  cache.onHistoryChanged((id, account) => {
    market.forget((watched) => watched === id);
    const isOurs = ownership === undefined || ownership.leaseOf(id) !== null;
    if (account !== null && isOurs) market.watchAccounts([account]);
  });
}

function createBarrier(
  { sharedBus = null, intake, ...options }: EngineOptions,
  firstWaiting: MarketLoop["firstWaitingQuotes"],
): QuoteBarrier {
  const epoch = (): number => intake.epoch;
  return createQuoteBarrier({ ...options, bus: sharedBus, epoch, firstWaiting });
}

/**
 * Makes the function that returns the board's quotes for a decision, adjusted for every corporate action that is due.
 */
function createAdjustedQuotes({
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
    // A clock that is ahead of the true time would adjust the present and later quotes for actions that are not due
    // yet. @rule D12.oneClock
    if (now >= nextAtMs && !isClockWrong()) {
      board.adjust(actions.current, now);
      const later = [...actions.current.values()].flat().map(({ atMs }) => atMs);
      nextAtMs = Math.min(...later.filter((atMs) => atMs > now));
    }
    return board.quotes;
  };
}
