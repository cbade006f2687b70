import { estimateTableRows } from "../storage/databases/table-statistics.ts";
import { createCatalogueStore } from "../storage/stores/catalogue-store.ts";
import { createEquityStore } from "../storage/stores/equity-store.ts";
import { createNonceStore } from "../storage/stores/nonce-store.ts";
import { createSettingStore } from "../storage/stores/setting-store.ts";
import { createDueWork, type DueWork } from "../trading/due-work.ts";
import { createEquityRecorder, type EquityRecorder } from "../trading/equity/equity-recorder.ts";
import { createEquityThinner, type EquityThinner } from "../trading/equity/equity-thinner.ts";
import { hashCatalogue } from "../trading/execution/decision-inputs.ts";
import type { PresentAccounts } from "../trading/network/present-account.ts";
import { createOtherNodes } from "../trading/other-nodes.ts";
import { createNonceMerger, type NonceMerger } from "../trading/receipts/nonce-merger.ts";
import type { ShardDecider } from "./open-deciders.ts";
import type { LedgerOptions } from "./open-ledger.ts";

/** The work for the accounts of one database. A database that fails does not delay the work of another. */
export interface LedgerShard extends ShardDecider {
  readonly due: DueWork;
  /** Records equity every minute; `thinner` thins out old points. */
  readonly equity: EquityRecorder & { readonly thinner: EquityThinner };
  /** Merges the nonces of former days. A sandbox also calls it when its clock has moved. */
  readonly nonces: NonceMerger;
  /** The estimated number of rows of each table. */
  tableRows(): Promise<ReadonlyMap<string, number>>;
  /**
   * Stores the present catalogue. In a process that decides all accounts, it also loads and watches the accounts that
   * depend on prices. Call it before prices arrive.
   */
  restore(): Promise<void>;
  /** Watches the accounts that another process on this database has changed; call it every second. */
  followOthers(): Promise<void>;
}

export function createLedgerShard(
  decider: ShardDecider,
  options: LedgerOptions,
  present: PresentAccounts,
): LedgerShard {
  const { database, cache, executor, ownership } = decider;
  const { deciders, instruments, board, clock, market, onFault } = options;
  const store = createEquityStore(database);
  const catalogues = createCatalogueStore(database);
  const catalogue = hashCatalogue(instruments);
  const others = createOtherNodes({ database, cache, watched: (id) => market.watchedVersion(id) });
  return {
    ...decider,
    due: createDueWork({
      database,
      // This executor decides the accounts of all databases. Only the reading of due work is limited to this database.
      executor: deciders.executor,
      ownership,
      clock,
      market: { quotes: board.quotes, instruments },
      onFault,
    }),
    equity: {
      ...createEquityRecorder({ database, ownership, store, executor, present }),
      thinner: createEquityThinner({ store, settings: createSettingStore(database), clock }),
    },
    nonces: createNonceMerger({ store: createNonceStore(database), clock }),
    tableRows: () => estimateTableRows(database),
    async restore() {
      await catalogues.insertIfMissing(catalogue);
      if (ownership === undefined) await options.watch(await cache.loadExposed());
    },
    followOthers: async () => options.watch(await others.nextPage()),
  };
}
