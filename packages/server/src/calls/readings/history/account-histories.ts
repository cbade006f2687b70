import { createMicroBatch, createTurns, type Turns } from "@propgate/base";
import { type AccountId, parseEvent } from "@propgate/core";
import { type Ledger, putRecent, type ReadAt } from "@propgate/ledger";
import { type AccountHistory, createHistoryFold, type HistoryFold } from "./account-history.ts";

/** Per account, the history that only its journal contains. */
export interface AccountHistories {
  /** The history at that version or a later one. */
  read(at: ReadAt): Promise<AccountHistory>;
  /** Reads the account's journal from its first line again, because its history has changed. */
  forget(account: AccountId): void;
}

const ACCOUNTS_MAX = 1_000;
/** Journals read concurrently; few, so that long ones do not slow down trading. */
const CONCURRENT_MAX = 2;

/**
 * Reads a journal once, page by page, and afterwards only its new lines. The memory per account grows with
 * its days, not with its events.
 */
export function createAccountHistories(
  { journalLines }: Pick<Ledger, "journalLines">,
  accountsMax = ACCOUNTS_MAX,
): AccountHistories {
  const folds = new Map<AccountId, Folding>();
  const follow = ({ fold, turns }: Folding, at: ReadAt): Promise<AccountHistory> =>
    turns.take(async () => {
      const range = { after: fold.read().version, upTo: at.version };
      if (range.after >= range.upTo) return fold.read();
      for await (const { event, seq } of journalLines.between(at.accountId, range)) {
        fold.add(parseEvent(event), seq);
      }
      return fold.read();
    });
  const reading = createMicroBatch<
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
        turns: createTurns(),
      };
      putRecent(folds, { key: at.accountId, value: folding, max: accountsMax });
      return reading.submit({ folding, at });
    },
  };
}

interface Folding {
  readonly fold: HistoryFold;
  /** Runs the reads of an account in turn: each continues where the one before ended. */
  readonly turns: Turns;
}
