/**
 * Composes the trading network for the service, the sandbox and the tests; only the clock, chance and prices
 * differ between them.
 */
import type {
  CorporateActions,
  FundingRates,
  Instruments,
  OwnerId,
  QuoteMap,
} from "@propgate/core";
import { answeredBefore, answerOrder } from "../api/views/order-answer.ts";
import type { Clock, Timer } from "../base/clock.ts";
import { createMicroBatch } from "../base/micro-batch.ts";
import type { Chance } from "../base/random.ts";
import { createMarketLoop, type MarketLoop } from "../prices/market-loop.ts";
import type { QuoteBoard } from "../prices/quote-board.ts";
import { createQuoteReach, type ReceivedPlaces } from "../prices/quote-reach.ts";
import type { QuoteIntake } from "../prices/quotes/quote-intake.ts";
import type { TapeReader } from "../prices/tape/tape.ts";
import { HOURLY_VENUES } from "../prices/venues/ccxt/ccxt-funding.ts";
import type { Database } from "../storage/databases/database.ts";
import { type AccountStore, createAccountStore } from "../storage/stores/account-store.ts";
import { createCatalogueStore } from "../storage/stores/catalogue-store.ts";
import { createDailyReturnStore } from "../storage/stores/daily-return-store.ts";
import { createEquityStore } from "../storage/stores/equity-store.ts";
import { createNonceStore } from "../storage/stores/nonces/nonce-store.ts";
import { createPayoutStore } from "../storage/stores/payout-store.ts";
import { createCorporateActionStore } from "../storage/stores/prices/corporate-action-store.ts";
import { createFundingStore } from "../storage/stores/prices/funding-store.ts";
import { createReceiptStore } from "../storage/stores/receipt-store.ts";
import { createSettingStore } from "../storage/stores/setting-store.ts";
import { createTradeStore } from "../storage/stores/trade-store.ts";
import { type Accounts, createAccounts } from "../trading/accounts.ts";
import type { CommitObserver } from "../trading/commit/commit-observer.ts";
import { type ActionDesk, createActionDesk } from "../trading/corporate-actions/action-desk.ts";
import { createCarryOutActions } from "../trading/corporate-actions/carry-out-actions.ts";
import { networkDecider } from "../trading/decider.ts";
import { catalogueOf } from "../trading/decision-inputs.ts";
import { createDueWork, type DueWork } from "../trading/due-work.ts";
import { createEquityRecorder, type EquityRecorder } from "../trading/equity/equity-recorder.ts";
import { createEquityThinner, type EquityThinner } from "../trading/equity/equity-thinner.ts";
import { createExecutor } from "../trading/executor.ts";
import type { BestsOf, Executor, QuoteReach } from "../trading/executor-port.ts";
import { createFundingDesk, type FundingDesk } from "../trading/funding-desk.ts";
import { createEmbeddedNetwork } from "../trading/network/embedded.ts";
import { createReturnHistory } from "../trading/network/history/return-history.ts";
import { createTradeHistory } from "../trading/network/history/trade-history.ts";
import type { TradingNetwork } from "../trading/network/port.ts";
import { createPresentAccounts, type PresentAccounts } from "../trading/network/present-account.ts";
import { createOtherNodes } from "../trading/other-nodes.ts";
import type { Ownership } from "../trading/ownership.ts";
import { createAnsweredBefore } from "../trading/passing/answered-before.ts";
import { openPassing, type Passing, type PassingOptions } from "../trading/passing/open-passing.ts";
import { createPayoutDesk, type PayoutDesk } from "../trading/payouts.ts";
import { createNonceMerger, type NonceMerger } from "../trading/receipts/nonce-merger.ts";
import { createStateCache, type StateCache } from "../trading/state-cache.ts";
import { takeOver } from "./take-over.ts";

export interface EngineOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly instruments: Instruments;
  readonly accountsPerOwner: number;
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
  /** The accounts that this node decides, among several; all unless given. */
  readonly ownership?: Ownership | undefined;
  /** Passes the commands of the other accounts to their owners; needs `ownership`. */
  readonly passing?: Omit<PassingOptions, "ownership"> | undefined;
  /** Observes commits; nothing does unless given. */
  readonly commits?: CommitObserver | undefined;
}

export interface Engine {
  readonly executor: Executor;
  /** The counts of commands that this node passed; null in a single process. */
  readonly passed: Passing["figures"] | null;
  readonly cache: StateCache;
  /** How far this process has shown the quotes of the feed. */
  readonly reach: QuoteReach;
  readonly network: TradingNetwork;
  readonly present: PresentAccounts;
  readonly accounts: Accounts;
  readonly payouts: PayoutDesk;
  readonly accountStore: AccountStore;
  readonly market: MarketLoop;
  readonly due: DueWork;
  /** Records equity every minute, and thins out old points. */
  readonly equity: EquityRecorder & { readonly thinner: EquityThinner };
  /** Merges the nonces of former days; a sandbox does the same when its clock has moved. */
  readonly nonces: NonceMerger;
  readonly actions: ActionDesk;
  readonly funding: FundingDesk;
  /** Carries out due corporate actions on all accounts; returns how many had one. Call it every second. */
  carryOutActions(): Promise<number>;
  /** Loads the accounts that depend on prices, unless a node takes them over; call it before prices come. */
  restore(): Promise<void>;
  /** Watches changes of another process that decides the same accounts; call it every second. */
  followOthers(): Promise<void>;
}

const COUNTS_BATCH_MAX = 512;
const COUNTS_CONCURRENT_MAX = 2;

export function createEngine(options: EngineOptions): Engine {
  const { database, clock, instruments, board, onFault } = options;
  const actionStore = createCorporateActionStore(database);
  const actions = createActionDesk({
    store: actionStore,
    clock,
    instruments,
    quotes: board.quotes,
  });
  const quotes = adjustedQuotes({ board, actions, clock });
  const funding = fundingDeskOf(options);
  const announced = {
    actions: (): CorporateActions => actions.current,
    funding: (): FundingRates => funding.current,
  };
  const bests: BestsOf = (account, version) => market.bests(account, version);
  const cache = createStateCache(database, { ...networkDecider, onFault });
  const reach = reachOf(options, () => market.firstWaiting());
  const local = createExecutor({
    ...options,
    reach,
    cache,
    decider: networkDecider,
    quotes,
    quoteOrigin: (pair) => board.origin(pair),
    ...announced,
    bests,
    answerOrder: (order) => answerOrder(order, instruments),
    observer: options.commits,
  });
  const { executor, passed } = amongNodes(options, { local, cache });
  const catalogues = createCatalogueStore(database);
  const storedCatalogue = catalogueOf(instruments);
  const store = createAccountStore(database);
  const payouts = createPayoutStore(database);
  const accounts = createAccounts({ executor, store, chance: options.chance });
  const market = createMarketLoop({ ...options, executor });
  const others = createOtherNodes({
    ...options,
    cache,
    watched: (account) => market.watched(account),
  });
  const reading = {
    cache,
    clock,
    quotes,
    instruments,
    ...announced,
    bests,
    onFault,
    returns: createReturnHistory(createDailyReturnStore(database)),
    accounts: activeCounts(store),
    accountsPerOwnerMax: options.accountsPerOwner,
  };
  const carryOut = createCarryOutActions({
    store: actionStore,
    desk: actions,
    ...options,
    executor,
  });
  const present = createPresentAccounts(reading);
  const equity = createEquityStore(database);
  const settings = createSettingStore(database);
  return {
    executor,
    passed,
    cache,
    reach,
    market,
    accountStore: store,
    accounts,
    payouts: createPayoutDesk({ store: payouts, accounts }),
    network: createEmbeddedNetwork({
      ...reading,
      executor,
      trades: createTradeHistory(createTradeStore(database)),
      payouts,
    }),
    present,
    equity: {
      ...createEquityRecorder({ ...options, store: equity, executor, present }),
      thinner: createEquityThinner({ store: equity, settings, clock }),
    },
    due: createDueWork({ ...options, executor }),
    nonces: createNonceMerger({ store: createNonceStore(database), clock }),
    actions,
    funding,
    async carryOutActions() {
      await Promise.all([actions.refresh(), funding.refresh()]);
      // The watch sees the board: it needs the adjusted quotes even when nothing is decided.
      quotes();
      return carryOut.run();
    },
    async restore() {
      await Promise.all([actions.refresh(), funding.refresh(), catalogues.keep(storedCatalogue)]);
      if (options.ownership !== undefined) return;
      await takeOver({ ...options, market }, await cache.loadExposed());
    },
    followOthers: async () => takeOver({ ...options, market }, await others.nextPage()),
  };
}

function reachOf(
  { sharedBus = null, intake, ...options }: EngineOptions,
  firstWaiting: MarketLoop["firstWaiting"],
): QuoteReach {
  const epoch = (): number => intake.epoch;
  return createQuoteReach({ ...options, bus: sharedBus, epoch, firstWaiting });
}

/** The executor of all accounts, and what it passes to other nodes; in a single process the local one alone. */
function amongNodes(
  { database, clock, ownership, passing, onFault }: EngineOptions,
  parts: { readonly local: Executor; readonly cache: StateCache },
): Pick<Engine, "executor" | "passed"> {
  if (passing === undefined || ownership === undefined) {
    return { executor: parts.local, passed: null };
  }
  const { executor, figures } = openPassing({
    ...passing,
    ...parts,
    ownership,
    clock,
    onFault,
    answeredBefore: createAnsweredBefore({
      cache: parts.cache,
      receipts: createReceiptStore(database),
      renderAnswer: answeredBefore,
    }),
  });
  return { executor, passed: figures };
}

function fundingDeskOf({ database, clock, instruments }: EngineOptions): FundingDesk {
  const store = createFundingStore(database);
  return createFundingDesk({ store, clock, instruments, venues: HOURLY_VENUES });
}

/** The board's quotes, adjusted for every corporate action that is due, before a decision sees them. */
function adjustedQuotes({
  board,
  actions,
  clock,
}: Pick<EngineOptions, "board" | "clock"> & { readonly actions: ActionDesk }): () => QuoteMap {
  let nextAtMs: number = Number.POSITIVE_INFINITY;
  actions.onChange(() => {
    nextAtMs = Number.NEGATIVE_INFINITY;
  });
  return () => {
    const now = clock.now();
    if (now >= nextAtMs) {
      board.adjust(actions.current, now);
      const later = [...actions.current.values()].flat().map(({ atMs }) => atMs);
      nextAtMs = Math.min(...later.filter((atMs) => atMs > now));
    }
    return board.quotes;
  };
}

/** Answers concurrent requests, such as those of all live streams, with one statement. */
function activeCounts(store: AccountStore): Pick<AccountStore, "countActive"> {
  const counts = createMicroBatch<OwnerId, number>({
    batchMax: COUNTS_BATCH_MAX,
    concurrentMax: COUNTS_CONCURRENT_MAX,
    async run(owners) {
      const found = await store.countActiveOf([...new Set(owners)]);
      return owners.map((owner) => found.get(owner) ?? 0);
    },
  });
  return { countActive: (owner) => counts.submit(owner) };
}
