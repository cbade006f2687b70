import type { Chance, Clock, RepeatableCall, Timer } from "@propgate/base";
import {
  type AccountId,
  type CorporateActions,
  type FundingRates,
  type Instruments,
  type OwnerId,
  type QuoteMap,
  unixMs,
} from "@propgate/core";
import type { LinkedAccountStore } from "../storage/rows/linked-account.ts";
import type { UpstreamOrderStore } from "../storage/rows/upstream-order.ts";
import { type PerShard, perShard } from "../storage/shards/per-shard.ts";
import { createShardedAccounts } from "../storage/shards/sharded-accounts.ts";
import {
  createShardedDailyReturns,
  createShardedEquity,
  createShardedTrades,
} from "../storage/shards/sharded-histories.ts";
import { createShardedLinkedAccounts } from "../storage/shards/sharded-linked-accounts.ts";
import { createShardedPayouts } from "../storage/shards/sharded-payouts.ts";
import { createShardedSearch } from "../storage/shards/sharded-search.ts";
import { createShardedUpstreamOrders } from "../storage/shards/sharded-upstream-orders.ts";
import type { Shards } from "../storage/shards/shards.ts";
import { createAccountIndexStore } from "../storage/stores/account-index-store.ts";
import {
  type AccountNameStore,
  createAccountNameStore,
} from "../storage/stores/account-name-store.ts";
import type { AccountStore } from "../storage/stores/account-store.ts";
import { createCorporateActionStore } from "../storage/stores/corporate-action-store.ts";
import type { EquityStore } from "../storage/stores/equity-store.ts";
import { createExternalIds } from "../storage/stores/external-id-store.ts";
import type { SearchStore } from "../storage/stores/search-store.ts";
import type { TradeStore } from "../storage/stores/trade-store.ts";
import {
  type AccountIndex,
  createAccountIndex,
  createShardedIndex,
} from "../trading/account-index.ts";
import { type AccountOperations, createAccountOperations } from "../trading/account-operations.ts";
import type { ActionDesk } from "../trading/corporate-actions/action-desk.ts";
import {
  type ActionRunner,
  createActionRunner,
} from "../trading/corporate-actions/action-runner.ts";
import type { DueWork } from "../trading/due-work.ts";
import { type FutureLines, sumFutureLines } from "../trading/execution/decision-times.ts";
import type { BestQuotesLookup, Executor, VersionedState } from "../trading/executor-port.ts";
import type { FundingDesk } from "../trading/funding-desk.ts";
import { createEmbeddedNetwork } from "../trading/network/embedded.ts";
import { createReturnHistory } from "../trading/network/history/return-history.ts";
import type { TradingNetwork } from "../trading/network/port.ts";
import { createPresentAccounts, type PresentAccounts } from "../trading/network/present-account.ts";
import { createShownStops } from "../trading/network/shown-stops.ts";
import { createOwnerLimits, type OwnerLimits } from "../trading/owner-limits.ts";
import { createPayoutDesk, type PayoutDesk } from "../trading/payouts.ts";
import { createShardedDueWork } from "../trading/shards/sharded-due-work.ts";
import type { StateCache } from "../trading/state-cache.ts";
import { type AccountDesks, openAccountDesks } from "./account-desks.ts";
import { type JournalLines, openJournalLines } from "./journal-lines.ts";
import { createLedgerShard, type LedgerShard } from "./ledger-shard.ts";
import type { Deciders } from "./open-deciders.ts";

export interface LedgerOptions {
  readonly databases: Shards;
  readonly deciders: Deciders;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly chance: Chance;
  readonly instruments: Instruments;
  readonly board: { readonly quotes: QuoteMap };
  /** The board's quotes, adjusted for every corporate action that is due. */
  readonly quotes: () => QuoteMap;
  /** The accounts that this process watches. */
  readonly market: {
    readonly bests: BestQuotesLookup;
    /** The version of the account that is watched; 0 when it is not watched. */
    watchedVersion(account: AccountId): number;
    /** The accounts with trailing stops whose newest best price is not recorded by an event yet. */
    accountsWithUnrecordedBests(): readonly AccountId[];
  };
  /** Watches these accounts, which were loaded from the database. */
  readonly watch: (accounts: readonly VersionedState[]) => Promise<void>;
  /** The maximum number of accounts of an owner who has no maximum of their own; null for no limit. */
  readonly accountsPerOwner: number | null;
  readonly networkTimeoutMs: number;
  readonly onFault: (cause: unknown) => void;
}

/** The accounts of all databases: their commands, histories and due work. */
export interface Ledger {
  readonly shards: PerShard<LedgerShard>;
  readonly executor: Executor;
  readonly cache: StateCache;
  readonly network: TradingNetwork;
  readonly present: PresentAccounts;
  readonly accounts: AccountOperations;
  readonly accountStore: AccountStore;
  /** All embedded accounts, for lists that are sorted and filtered by figures that depend on prices. */
  readonly index: AccountIndex;
  readonly limits: OwnerLimits;
  /** Draws the id of a new account. The id determines the account's database, which is the database of its owner. */
  readonly newAccountId: (owner: OwnerId, act?: RepeatableCall | null) => Promise<AccountId>;
  readonly payouts: PayoutDesk;
  readonly journalLines: JournalLines;
  readonly trades: TradeStore;
  readonly equity: Pick<EquityStore, "add" | "between" | "lastAt">;
  readonly linkedAccounts: LinkedAccountStore;
  /** The orders that are sent to validators for linked accounts. */
  readonly upstreamOrders: UpstreamOrderStore;
  readonly desks: AccountDesks;
  readonly accountNames: AccountNameStore;
  readonly search: SearchStore;
  readonly due: DueWork;
  readonly actions: ActionDesk;
  readonly funding: FundingDesk;
  /**
   * Counts the accounts of this process with a journal line in the future, which a wrong clock has caused; null when
   * there are none.
   */
  linesOfFuture(): FutureLines | null;
  /** Carries out due corporate actions; returns the number of accounts that had one. Call it every second. */
  carryOutActions(): Promise<number>;
  /** Reads the final funding rates of all hours that accounts may still be charged for; call it every minute. */
  readFinalFunding(): Promise<void>;
  /** Records the best prices that trailing stops have followed; call it before the process stops. */
  recordStops(): Promise<void>;
  /** Reads corporate actions and funding rates, and restores every shard; call it before prices arrive. */
  restore(): Promise<void>;
}

export function openLedger(options: LedgerOptions): Ledger {
  const { databases, deciders, market, onFault } = options;
  const { executor, cache, actions, funding } = deciders;
  const accountStore = createShardedAccounts(databases);
  const payouts = createShardedPayouts(databases);
  const trades = createShardedTrades(databases.longReads);
  const ofAll = options.accountsPerOwner;
  const limits = createOwnerLimits({ database: databases.first, accounts: accountStore, ofAll });
  const newAccountId: Ledger["newAccountId"] = (owner, act) =>
    databases.ownerShards.newAccountId(owner, act?.chance("account") ?? options.chance);
  const externalIds = createExternalIds(databases.all);
  const accounts = createAccountOperations({
    executor,
    store: accountStore,
    externalIds,
    newAccountId,
  });
  const stops = createShownStops({ executor, bests: market.bests, onFault });
  const returns = createReturnHistory(createShardedDailyReturns(databases));
  cache.onHistoryChanged((account) => returns.forget(account));
  const reading = {
    cache,
    clock: options.clock,
    quotes: options.quotes,
    instruments: options.instruments,
    actions: (): CorporateActions => actions.current,
    funding: (): FundingRates => funding.current,
    stops,
    onFault,
    returns,
    limits,
  };
  const present = createPresentAccounts(reading);
  const shards = perShard(deciders.shards, (decider) =>
    createLedgerShard(decider, options, present),
  );
  const due = createShardedDueWork(perShard(shards, (shard) => shard.due));
  const carryOut = createLedgerActionRunner(options);
  const refresh = async (): Promise<void> => {
    await Promise.all([actions.refresh(), funding.refresh()]);
    // This call adjusts the board, which the watch reads, for due actions even when no command is decided. Otherwise
    // the first quote after a start would be compared with prices in the scale from before the missed actions.
    options.quotes();
  };
  const readFinalFunding = async (): Promise<void> =>
    funding.readFinal(await due.nextDueMs(unixMs(0)));
  return {
    shards,
    executor,
    cache,
    network: createEmbeddedNetwork({ ...reading, executor, trades, payouts }),
    present,
    accounts,
    accountStore,
    index: createLedgerIndex(deciders),
    limits,
    newAccountId,
    payouts: createPayoutDesk({ store: payouts, accounts }),
    journalLines: openJournalLines(databases),
    trades,
    equity: createShardedEquity(databases),
    linkedAccounts: createShardedLinkedAccounts(databases),
    upstreamOrders: createShardedUpstreamOrders(databases),
    desks: openAccountDesks(options),
    accountNames: createAccountNameStore(databases.first),
    search: createShardedSearch(databases),
    due,
    actions,
    funding,
    linesOfFuture: () => sumFutureLines(shards.map((shard) => shard.linesOfFuture())),
    async carryOutActions() {
      await refresh();
      return carryOut.run();
    },
    readFinalFunding,
    recordStops: () => stops.record(market.accountsWithUnrecordedBests()),
    async restore() {
      await readFinalFunding();
      await refresh();
      await Promise.all(shards.map((shard) => shard.restore()));
    },
  };
}

function createLedgerIndex({ shards }: Deciders): AccountIndex {
  const indices = perShard(shards, ({ database, cache }) =>
    createAccountIndex({ store: createAccountIndexStore(database), cache }),
  );
  return createShardedIndex(indices);
}

function createLedgerActionRunner({
  databases,
  deciders,
  ...options
}: LedgerOptions): ActionRunner {
  return createActionRunner({
    store: createCorporateActionStore(databases.first),
    holders: perShard(deciders.shards, ({ database, ownership }) => ({
      store: createCorporateActionStore(database),
      ownership,
    })),
    desk: deciders.actions,
    executor: deciders.executor,
    states: deciders.cache,
    clock: options.clock,
    onFault: options.onFault,
  });
}
