/**
 * The trading network with everything it stands on, put together once for the service, the sandbox
 * and the tests alike; what differs between them is only the clock, the chance and the prices.
 */
import type { Instruments, OwnerId, Quotes } from "@propgate/core";
import type { Clock } from "./clock.ts";
import { createEquityRecorder, type EquityRecorder } from "./equity/equity-recorder.ts";
import { createEquityThinner, type EquityThinner } from "./equity/equity-thinner.ts";
import { microBatch } from "./micro-batch.ts";
import { type Accounts, createAccounts } from "./network/accounts.ts";
import { networkDecider } from "./network/decider.ts";
import { createDueWork, type DueWork } from "./network/due-work.ts";
import { createEmbeddedNetwork } from "./network/embedded.ts";
import { createExecutor } from "./network/executor.ts";
import type { Executor } from "./network/executor-port.ts";
import { createReturnHistory } from "./network/history/return-history.ts";
import { createTradeHistory } from "./network/history/trade-history.ts";
import { createOtherNodes } from "./network/other-nodes.ts";
import { createPayoutDesk, type PayoutDesk } from "./network/payouts.ts";
import type { TradingNetwork } from "./network/port.ts";
import { createPresentAccounts, type PresentAccounts } from "./network/present-account.ts";
import { createStateCache, type StateCache } from "./network/state-cache.ts";
import { createMarketLoop, type MarketLoop } from "./prices/market-loop.ts";
import type { QuoteBoard } from "./prices/quote-board.ts";
import type { Chance } from "./random.ts";
import type { Database } from "./storage/database.ts";
import { type AccountStore, accountStore } from "./storage/stores/account-store.ts";
import { dailyReturnStore } from "./storage/stores/daily-return-store.ts";
import { equityStore } from "./storage/stores/equity-store.ts";
import { payoutStore } from "./storage/stores/payout-store.ts";
import { settingStore } from "./storage/stores/setting-store.ts";
import { tradeStore } from "./storage/stores/trade-store.ts";

export interface EngineNeeds {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly instruments: Instruments;
  readonly accountsPerOwner: number;
  readonly board: QuoteBoard;
  /** Commands of one transaction; the executor's own limit unless given. */
  readonly batchMax?: number;
  readonly onFault: (cause: unknown) => void;
}

export interface Engine {
  readonly executor: Executor;
  readonly cache: StateCache;
  readonly network: TradingNetwork;
  readonly present: PresentAccounts;
  readonly accounts: Accounts;
  readonly payouts: PayoutDesk;
  readonly accountStore: AccountStore;
  readonly market: MarketLoop;
  readonly due: DueWork;
  /** What accounts are worth from minute to minute, and fewer of it later. */
  readonly equity: EquityRecorder & { readonly thinner: EquityThinner };
  /** Brings accounts that prices matter to into memory; to be called before prices come. */
  restore(): Promise<void>;
  /** Watches what other processes on this database have left open; to be called once a second. */
  followOthers(): Promise<void>;
}

const COUNTS_TOGETHER_MAX = 512;
const COUNTS_AT_ONCE = 2;

export function createEngine(need: EngineNeeds): Engine {
  const { database, clock, instruments, board, onFault } = need;
  const quotes = (): Quotes => board.quotes;
  const cache = createStateCache(database);
  const executor = createExecutor({
    database,
    cache,
    decider: networkDecider,
    clock,
    quotes,
    instruments,
    ...(need.batchMax === undefined ? {} : { batchMax: need.batchMax }),
  });
  const store = accountStore(database);
  const payouts = payoutStore(database);
  const accounts = createAccounts({ executor, store, chance: need.chance });
  const market = createMarketLoop({
    executor,
    board,
    instruments,
    clock,
    onFault,
  });
  const others = createOtherNodes({
    database,
    cache,
    watched: (account) => market.watched(account),
  });
  const reading = {
    ...{ cache, clock, quotes, instruments, onFault },
    returns: createReturnHistory(dailyReturnStore(database)),
    accounts: activeCounts(store),
    accountsPerOwnerMax: need.accountsPerOwner,
  };
  const present = createPresentAccounts(reading);
  const equity = equityStore(database);
  return {
    executor,
    cache,
    market,
    accountStore: store,
    accounts,
    payouts: createPayoutDesk({ store: payouts, accounts }),
    network: createEmbeddedNetwork({
      ...reading,
      executor,
      trades: createTradeHistory(tradeStore(database)),
      payouts,
    }),
    present,
    equity: {
      ...createEquityRecorder({ database, store: equity, executor, present }),
      thinner: createEquityThinner({ store: equity, settings: settingStore(database), clock }),
    },
    due: createDueWork({ database, executor, clock, onFault }),
    async restore() {
      market.takeOver(await cache.loadExposed());
    },
    async followOthers() {
      market.takeOver(await others.look());
    },
  };
}

/** Those who ask at the same moment, such as every live stream, are answered by one statement. */
function activeCounts(store: AccountStore): Pick<AccountStore, "countActive"> {
  const counts = microBatch<OwnerId, number>({
    most: COUNTS_TOGETHER_MAX,
    atOnce: COUNTS_AT_ONCE,
    async run(owners) {
      const found = await store.countActiveOf([...new Set(owners)]);
      return owners.map((owner) => found.get(owner) ?? 0);
    },
  });
  return { countActive: (owner) => counts.submit(owner) };
}
