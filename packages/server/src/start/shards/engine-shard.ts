import type { Clock } from "../../base/clock.ts";
import type { MarketLoop } from "../../prices/market-loop.ts";
import type { QuoteBoard } from "../../prices/quote-board.ts";
import type { Database } from "../../storage/databases/database.ts";
import { createCatalogueStore } from "../../storage/stores/catalogue-store.ts";
import { createEquityStore } from "../../storage/stores/equity-store.ts";
import { createNonceStore } from "../../storage/stores/nonces/nonce-store.ts";
import { createReceiptStore } from "../../storage/stores/receipt-store.ts";
import { createSettingStore } from "../../storage/stores/setting-store.ts";
import { createDueWork, type DueWork } from "../../trading/due-work.ts";
import { createEquityRecorder, type EquityRecorder } from "../../trading/equity/equity-recorder.ts";
import { createEquityThinner, type EquityThinner } from "../../trading/equity/equity-thinner.ts";
import { networkDecider } from "../../trading/execution/decider.ts";
import { catalogueOf } from "../../trading/execution/decision-inputs.ts";
import { createDecisionTimes, type LinesOfFuture } from "../../trading/execution/decision-times.ts";
import { createExecutor, type ExecutorOptions } from "../../trading/execution/executor.ts";
import type { Executor, VersionedState } from "../../trading/executor-port.ts";
import type { PresentAccounts } from "../../trading/network/present-account.ts";
import { createOtherNodes } from "../../trading/other-nodes.ts";
import { createNonceMerger, type NonceMerger } from "../../trading/receipts/nonce-merger.ts";
import {
  createReplayedAnswer,
  type ReplayOptions,
} from "../../trading/receipts/replayed-answer.ts";
import { createStateCache, type StateCache } from "../../trading/state-cache.ts";
import { type TakeOverOptions, takeOver } from "../take-over.ts";

/** Decides the accounts of one database in this process. */
export interface ShardDecider {
  readonly database: Database;
  readonly cache: StateCache;
  readonly executor: Executor;
  /** The accounts that a wrong clock has left with a line of the future; null without one. */
  linesOfFuture(): LinesOfFuture | null;
  /** The accounts that this node decides, among several; all unless given. */
  readonly ownership: ExecutorOptions["ownership"];
}

/** The work of an engine for the accounts of one database. Another database that fails does not delay it. */
export interface EngineShard extends ShardDecider {
  readonly due: DueWork;
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
