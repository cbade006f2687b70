import type { Act, Chance, Clock } from "@propgate/base";
import type {
  AccountId,
  CorporateActions,
  FundingRates,
  Instruments,
  OwnerId,
  QuoteMap,
} from "@propgate/core";
import { type PerShard, perShard, shardAt } from "../storage/shards/per-shard.ts";
import { shardedAccounts } from "../storage/shards/sharded-accounts.ts";
import {
  shardedDailyReturns,
  shardedEquity,
  shardedTrades,
} from "../storage/shards/sharded-histories.ts";
import { shardedPayouts } from "../storage/shards/sharded-payouts.ts";
import type { Shards } from "../storage/shards/shards.ts";
import type { AccountStore } from "../storage/stores/account-store.ts";
import type { EquityStore } from "../storage/stores/equity-store.ts";
import { createExternalIds } from "../storage/stores/external-id-store.ts";
import { createCorporateActionStore } from "../storage/stores/prices/corporate-action-store.ts";
import type { TradeStore } from "../storage/stores/trade-store.ts";
import { type Accounts, createAccounts } from "../trading/accounts.ts";
import type { ActionDesk } from "../trading/corporate-actions/action-desk.ts";
import {
  type CarryOutActions,
  createCarryOutActions,
} from "../trading/corporate-actions/carry-out-actions.ts";
import type { BestsOf, Executor } from "../trading/executor-port.ts";
import type { FundingDesk } from "../trading/funding-desk.ts";
import { createEmbeddedNetwork } from "../trading/network/embedded.ts";
import { createReturnHistory } from "../trading/network/history/return-history.ts";
import type { TradingNetwork } from "../trading/network/port.ts";
import { createPresentAccounts, type PresentAccounts } from "../trading/network/present-account.ts";
import { createShownStops, type ShownStops } from "../trading/network/shown-stops.ts";
import { createOwnerLimits, type OwnerLimits } from "../trading/owner-limits.ts";
import type { Ownership } from "../trading/ownership.ts";
import { createPayoutDesk, type PayoutDesk } from "../trading/payouts.ts";
import type { StateCache } from "../trading/state-cache.ts";

/** The accounts of all databases: their trading network, the operator's acts on them, and their histories. */
export interface Ledger {
  readonly network: TradingNetwork;
  readonly present: PresentAccounts;
  readonly accounts: Accounts;
  readonly accountStore: AccountStore;
  readonly limits: OwnerLimits;
  /** The id of a new account, on the owner's database. */
  readonly newAccountId: (owner: OwnerId, act?: Act | null) => Promise<AccountId>;
  readonly payouts: PayoutDesk;
  readonly trades: TradeStore;
  readonly equity: Pick<EquityStore, "add" | "between" | "lastAt">;
  readonly stops: Pick<ShownStops, "record">;
  readonly carryOut: CarryOutActions;
}

export function openLedger(options: {
  readonly databases: Shards;
  /** Carries out the commands of all accounts. */
  readonly executor: Executor;
  readonly cache: StateCache;
  /** The accounts of each database that this node decides, among several nodes; undefined for all. */
  readonly ownerships: PerShard<Ownership> | undefined;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly instruments: Instruments;
  readonly quotes: () => QuoteMap;
  readonly bests: BestsOf;
  readonly actions: ActionDesk;
  readonly funding: Pick<FundingDesk, "current">;
  /** Null without a maximum for all. */
  readonly accountsPerOwner: number | null;
  readonly onFault: (cause: unknown) => void;
}): Ledger {
  const { databases, executor, cache, ownerships, clock, onFault } = options;
  const accountStore = shardedAccounts(databases);
  const payouts = shardedPayouts(databases);
  const trades = shardedTrades(databases.lane);
  const limits = createOwnerLimits({
    database: databases.first,
    accounts: accountStore,
    ofAll: options.accountsPerOwner,
  });
  const newAccountId: Ledger["newAccountId"] = (owner, act) =>
    databases.ownerShards.newAccountId(owner, act?.chance("account") ?? options.chance);
  const externalIds = createExternalIds(databases.all);
  const accounts = createAccounts({ executor, store: accountStore, externalIds, newAccountId });
  const stops = createShownStops({ executor, bests: options.bests, onFault });
  const returns = createReturnHistory(shardedDailyReturns(databases));
  cache.onHistoryChanged((account) => returns.forget(account));
  const reading = {
    cache,
    clock,
    quotes: options.quotes,
    instruments: options.instruments,
    actions: (): CorporateActions => options.actions.current,
    funding: (): FundingRates => options.funding.current,
    stops,
    onFault,
    returns,
    limits,
  };
  return {
    network: createEmbeddedNetwork({ ...reading, executor, trades, payouts }),
    present: createPresentAccounts(reading),
    accounts,
    accountStore,
    limits,
    newAccountId,
    payouts: createPayoutDesk({ store: payouts, accounts }),
    trades,
    equity: shardedEquity(databases),
    stops,
    carryOut: createCarryOutActions({
      store: createCorporateActionStore(databases.first),
      holders: perShard(databases.all, (database, number) => ({
        store: createCorporateActionStore(database),
        ownership: ownerships === undefined ? undefined : shardAt(ownerships, number),
      })),
      desk: options.actions,
      executor,
      states: cache,
      clock,
      onFault,
    }),
  };
}
