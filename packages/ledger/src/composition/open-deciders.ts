import { type AccountId, decide, evolve, type QuoteMap } from "@propgate/core";
import type { Database } from "../storage/databases/database.ts";
import { type PerShard, perShard, shardAt } from "../storage/shards/per-shard.ts";
import type { Shards } from "../storage/shards/shards.ts";
import { createReceiptStore } from "../storage/stores/receipt-store.ts";
import { createBarredExecutor } from "../trading/barred-executor.ts";
import { type ActionDesk, createActionDesk } from "../trading/corporate-actions/action-desk.ts";
import { createDecisionTimes, type FutureLines } from "../trading/execution/decision-times.ts";
import { createExecutor, type ExecutorOptions } from "../trading/execution/executor.ts";
import type { Executor } from "../trading/executor-port.ts";
import { createFundingDesk, type FundingDesk } from "../trading/funding-desk.ts";
import type { AccountOwnership, Ownership } from "../trading/ownership.ts";
import type { NotCarriedOut } from "../trading/receipts/not-carried-out.ts";
import { createReplayAnswer, type ReplayOptions } from "../trading/receipts/replay-answer.ts";
import { createShardedExecutor } from "../trading/shards/sharded-executor.ts";
import { createShardedOwnership } from "../trading/shards/sharded-ownership.ts";
import { createShardedStates } from "../trading/shards/sharded-states.ts";
import { createStateCache, type StateCache } from "../trading/state-cache.ts";

/** Decides the accounts of one database in this process. */
export interface ShardDecider {
  readonly database: Database;
  readonly cache: StateCache;
  readonly executor: Executor;
  /** Counts the accounts with a journal line in the future, the result of a wrong clock; null when there are none. */
  linesOfFuture(): FutureLines | null;
  /** With several nodes, the accounts that this node decides; undefined when this process decides all accounts. */
  readonly ownership: Ownership | undefined;
}

/** Decides the accounts of all databases in this process. */
export interface Deciders {
  readonly shards: PerShard<ShardDecider>;
  readonly executor: Executor;
  /** Carries out the commands that other nodes forward, even while this node's own commands are rejected. */
  readonly unbarredExecutor: Executor;
  readonly cache: StateCache;
  /** With several nodes, the accounts that this node decides; undefined when this process decides all accounts. */
  readonly ownership: AccountOwnership | undefined;
  readonly actions: ActionDesk;
  readonly funding: FundingDesk;
}

/** The options that the executors of all databases share. All are required here, so that none is forgotten. */
type RequiredExecutorOption =
  | "clock"
  | "timer"
  | "instruments"
  | "quotes"
  | "quoteOrigin"
  | "bests"
  | "barrier"
  | "remember"
  | "forwarding"
  | "batchMax"
  | "observer";

export interface DeciderOptions extends Required<Pick<ExecutorOptions, RequiredExecutorOption>> {
  readonly databases: Shards;
  readonly board: { readonly quotes: QuoteMap };
  /** The names under which venues store funding rates. */
  readonly venues: readonly string[];
  /**
   * With several nodes, the accounts of each database that this node decides; undefined when this process decides all
   * accounts.
   */
  readonly ownerships: PerShard<Ownership> | undefined;
  readonly recall: ReplayOptions["recall"];
  /**
   * True while the database with this number fails. Then commands of prices and of the clock on its accounts fail
   * immediately.
   */
  readonly isAtFault: (database: number) => boolean;
  /** Why no command of this node on the account may be carried out; null when commands may be. */
  readonly barredBy: (account: AccountId) => NotCarriedOut | null;
  readonly onFault: (cause: unknown) => void;
}

/** The maximum number of accounts whose states a process keeps in memory, over all databases. */
const STATES_MAX = 200_000;

export function openDeciders(options: DeciderOptions): Deciders {
  const { databases, ownerships, clock, instruments, venues, isAtFault } = options;
  const { quotes } = options.board;
  const actions = createActionDesk({ databases, clock, instruments, quotes });
  const funding = createFundingDesk({ databases, clock, instruments, venues });
  const announced = { actions: () => actions.current, funding: () => funding.current };
  const shards = perShard(databases.all, (database, number) => {
    const ownership = ownerships && shardAt(ownerships, number);
    return createShardDecider({ ...options, ...announced, database, ownership });
  });
  const guarded = perShard(shards, ({ executor }, number) => ({
    executor,
    isAtFault: () => isAtFault(number),
  }));
  const anytime = createShardedExecutor(guarded, options.timer);
  return {
    shards,
    executor: createBarredExecutor(options.barredBy, anytime),
    unbarredExecutor: anytime,
    cache: createShardedStates(perShard(shards, ({ cache }) => cache)),
    ownership: ownerships && createShardedOwnership(ownerships),
    actions,
    funding,
  };
}

function createShardDecider(
  options: DeciderOptions & Pick<ExecutorOptions, "actions" | "funding" | "database" | "ownership">,
): ShardDecider {
  const { database, ownership, onFault, recall, clock } = options;
  const accountsMax = Math.ceil(STATES_MAX / options.databases.all.length);
  const cache = createStateCache(database, { evolve, onFault, accountsMax });
  const times = createDecisionTimes();
  const replayed = createReplayAnswer({ cache, receipts: createReceiptStore(database), recall });
  return {
    database,
    cache,
    executor: createExecutor({ ...options, cache, decider: { decide, evolve }, times, replayed }),
    linesOfFuture: () => times.futureLines(clock.now()),
    ownership,
  };
}
