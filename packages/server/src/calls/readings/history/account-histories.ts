import { createMicroBatcher, createSerialQueue, type SerialQueue } from "@propgate/base";
import { type AccountId, parseEvent } from "@propgate/core";
import { type Ledger, putRecent, type ReadAt } from "@propgate/ledger";
import { type AccountHistory, createHistoryFold, type HistoryFold } from "./account-history.ts";

/** For each account, the history that only its journal contains. */
export interface AccountHistories {
  /** The account's history at version `at.version` or a later one. */
  read(at: ReadAt): Promise<AccountHistory>;
  /** Forgets what was read of an account whose lines have changed. The next read begins at the first line again. */
  forget(account: AccountId): void;
}

const ACCOUNTS_MAX = 1_000;
/** How many journals are read concurrently. They are few, so that long ones do not slow down trading. */
const CONCURRENT_MAX = 2;

/**
 * Reads a journal once, page by page, and afterwards only its new lines. It keeps the histories of the accounts that
 * were read last. The memory for an account grows with its days and cycles, not with its events.
 */
export function createAccountHistories(
  { journalLines }: Pick<Ledger, "journalLines">,
  accountsMax = ACCOUNTS_MAX,
): AccountHistories {
  const folds = new Map<AccountId, Folding>();
  const follow = ({ fold, queue }: Folding, at: ReadAt): Promise<AccountHistory> =>
    queue.run(async () => {
      const range = { after: fold.read().version, upTo: at.version };
      if (range.after >= range.upTo) return fold.read();
      for await (const { event, seq } of journalLines.between(at.accountId, range)) {
        fold.add(parseEvent(event), seq);
      }
      return fold.read();
    });
  const reading = createMicroBatcher<
    { readonly folding: Folding; readonly at: ReadAt },
    AccountHistory
  >({
    batchMax: 1,
    concurrentMax: CONCURRENT_MAX,
    run: (reads) => Promise.all(reads.map(({ folding, at }) => follow(folding, at))),
  });
  return {
    forget: (account) => void folds.delete(account),
    read(at) {
      const folding = folds.get(at.accountId) ?? {
        fold: createHistoryFold(),
        queue: createSerialQueue(),
      };
      putRecent(folds, { key: at.accountId, value: folding, max: accountsMax });
      return reading.submit({ folding, at });
    },
  };
}

interface Folding {
  readonly fold: HistoryFold;
  /** Runs the reads of an account one after the other. Each read continues after the last line of the previous one. */
  readonly queue: SerialQueue;
}
