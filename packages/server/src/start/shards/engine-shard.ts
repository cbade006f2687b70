import type { Clock } from "@propgate/base";
import {
  type AccountIndex,
  catalogueOf,
  createAccountIndex,
  createAccountIndexStore,
  createCatalogueStore,
  createDecisionTimes,
  createDueWork,
  createEquityRecorder,
  createEquityStore,
  createEquityThinner,
  createExecutor,
  createNonceMerger,
  createNonceStore,
  createOtherNodes,
  createReceiptStore,
  createReplayedAnswer,
  createSettingStore,
  createStateCache,
  type Database,
  type DueWork,
  type EquityRecorder,
  type EquityThinner,
  type Executor,
  type ExecutorOptions,
  type LinesOfFuture,
  type NonceMerger,
  networkDecider,
  type PresentAccounts,
  type ReplayOptions,
  type StateCache,
  type VersionedState,
} from "@propgate/ledger";
import type { MarketLoop, QuoteBoard } from "@propgate/market";
import { type TakeOverOptions, takeOver } from "../take-over.ts";

/** Decides the accounts of one database in this process. */
export interface ShardDecider {
  readonly database: Database;
  readonly cache: StateCache;
  readonly executor: Executor;
  /** The accounts that a wrong clock has left with a line in the future; null when there is none. */
  linesOfFuture(): LinesOfFuture | null;
  /** The accounts that this node decides, among several; all unless given. */
  readonly ownership: ExecutorOptions["ownership"];
}

/** The work of an engine for the accounts of one database. Another database that fails does not delay it. */
export interface EngineShard extends ShardDecider {
  readonly due: DueWork;
  readonly index: AccountIndex;
  /** Records equity every minute, and thins out old points. */
  readonly equity: EquityRecorder & { readonly thinner: EquityThinner };
  /** Merges the nonces of former days; a sandbox does the same when its clock has moved. */
  readonly nonces: NonceMerger;
  /** Loads the accounts that depend on prices, unless a node takes them over; call it before prices come. */
  restore(): Promise<void>;
  /** Watches changes of another process that decides the same accounts; call it every second. */
  followOthers(): Promise<void>;
}

/** Accounts whose states a process keeps in memory, of all databases. */
const STATES_MAX = 200_000;

/** `databases`: how many the process has. */
export function createShardDecider(
  options: Omit<ExecutorOptions, "cache" | "decider" | "replayed"> & {
    readonly databases: number;
    readonly recall: ReplayOptions["recall"];
    readonly onFault: (cause: unknown) => void;
  },
): ShardDecider {
  const { database, onFault, ownership, databases } = options;
  const accountsMax = Math.ceil(STATES_MAX / databases);
  const cache = createStateCache(database, { ...networkDecider, onFault, accountsMax });
  const times = createDecisionTimes();
  const replayed = createReplayedAnswer({
    cache,
    receipts: createReceiptStore(database),
    recall: options.recall,
  });
  const executor = createExecutor({
    ...options,
    cache,
    decider: networkDecider,
    times,
    replayed,
  });
  const linesOfFuture = () => times.ofFuture(options.clock.now());
  return { database, cache, executor, linesOfFuture, ownership };
}

export function createEngineShard(
  decider: ShardDecider,
  options: Omit<TakeOverOptions, "market"> & {
    readonly market: MarketLoop;
    /** Carries out the commands of the accounts of all databases. */
    readonly executor: Executor;
    readonly present: PresentAccounts;
    readonly clock: Clock;
    readonly board: Pick<QuoteBoard, "quotes" | "actionsOf">;
  },
): EngineShard {
  const { database, cache, ownership } = decider;
  const { market, clock, board, instruments } = options;
  const prices = { quotes: board.quotes, instruments };
  const store = createEquityStore(database);
  const settings = createSettingStore(database);
  const catalogues = createCatalogueStore(database);
  const catalogue = catalogueOf(options.instruments);
  const others = createOtherNodes({ database, cache, watched: (id) => market.watched(id) });
  const watch = (accounts: readonly VersionedState[]) => takeOver(options, accounts);
  return {
    ...decider,
    index: createAccountIndex({ store: createAccountIndexStore(database), cache }),
    due: createDueWork({ ...options, database, ownership, market: prices }),
    equity: {
      ...createEquityRecorder({ ...options, ...decider, store }),
      thinner: createEquityThinner({ store, settings, clock }),
    },
    nonces: createNonceMerger({ store: createNonceStore(database), clock }),
    async restore() {
      await catalogues.keep(catalogue);
      if (ownership === undefined) await watch(await cache.loadExposed());
    },
    followOthers: async () => watch(await others.nextPage()),
  };
}
