/**
 * Composes the trading network for the service, the sandbox and the tests; only the clock, chance and prices
 * differ between them.
 */

import type { Chance, Clock, Timer } from "@propgate/base";
import type { Forwarding } from "@propgate/cluster";
import type { Instruments, QuoteMap } from "@propgate/core";
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
  type ReceivedPlaces,
  type TapeReader,
} from "@propgate/market";
import { recallReceipt, rememberAnswer } from "@propgate/wire";
import { takeOver } from "./take-over.ts";

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
  readonly networkTimeoutMs: number;
  /** The bus of several nodes; none in a process that makes its own quotes. */
  readonly sharedBus?: ReceivedPlaces | null | undefined;
  /** Commands of one transaction; the executor's own limit unless given. */
  readonly batchMax?: number;
  readonly onFault: (cause: unknown) => void;
  /** Whether the database of this number fails: then commands of prices and of the clock wait. */
  readonly isAtFault: (database: number) => boolean;
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
  /** Why nothing may be carried out now; null when it may. */
  readonly barredBy: () => NotCarriedOut | null;
  /** Observes commits; nothing does unless given. */
  readonly commits?: CommitObserver | undefined;
}

export interface Engine extends Ledger {
  /** The counts of commands that this node forwarded; null in a single process. */
  readonly forwarded: Forwarding["figures"] | null;
  /** How far this process has shown the quotes of the feed. */
  readonly barrier: QuoteBarrier;
  readonly market: MarketLoop;
}

export function createEngine(options: EngineOptions): Engine {
  const { databases, clock, instruments, board, timer, onFault } = options;
  const barrier = barrierOf(options, () => market.firstWaiting());
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
    remember: (answer) => rememberAnswer(answer, instruments),
    recall: recallReceipt,
    forwarding,
    batchMax: options.batchMax,
    observer: options.commits,
    isAtFault: options.isAtFault,
    barredBy: options.barredBy,
    onFault,
  });
  const { executor, cache, ownership, actions } = deciders;
  const quotes = adjustedQuotes({ ...options, actions });
  if (ownership !== undefined) forwarding?.serve({ local: deciders.anytime, ownership, cache });
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

/** When an account has lost lines, everything that was remembered of it goes. */
function followHistories(parts: {
  readonly cache: StateCache;
  readonly market: MarketLoop;
  readonly ownership: Pick<Ownership, "leaseOf"> | undefined;
}): void {
  const { cache, market, ownership } = parts;
  cache.onHistoryChanged((id, account) => {
    market.forget((watched) => watched === id);
    const isOurs = ownership === undefined || ownership.leaseOf(id) !== null;
    if (account !== null && isOurs) market.takeOver([account]);
  });
}

function barrierOf(
  { sharedBus = null, intake, ...options }: EngineOptions,
  firstWaiting: MarketLoop["firstWaiting"],
): QuoteBarrier {
  const epoch = (): number => intake.epoch;
  return createQuoteBarrier({ ...options, bus: sharedBus, epoch, firstWaiting });
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
