import type { AccountId } from "@propgate/core";
import { journalLines } from "../../journal/journal-store.ts";
import { parseEvent } from "../../journal/parse-event.ts";
import { microBatch } from "../../micro-batch.ts";
import { putRecent } from "../../network/history/recent-entries.ts";
import type { ReadAt } from "../../network/port.ts";
import type { Database } from "../../storage/database.ts";
import { type AccountHistory, createHistoryFold, type HistoryFold } from "./account-history.ts";

/** What only journals can tell, by account. */
export interface AccountHistories {
  /** At that version or a later one. */
  read(at: ReadAt): Promise<AccountHistory>;
}

const ACCOUNTS_MAX = 1_000;
/** Journals that are read at the same time: a long one must not keep the database from trading. */
const AT_ONCE = 2;

/**
 * Reads a journal once, a page at a time, and from then on only what has come to it. What is kept of
 * an account grows with its days, not with its events.
 */
export function createAccountHistories(database: Database, most = ACCOUNTS_MAX): AccountHistories {
  const folds = new Map<AccountId, Folding>();
  const reading = microBatch<{ readonly folding: Folding; readonly at: ReadAt }, AccountHistory>({
    most: 1,
    atOnce: AT_ONCE,
    run: (asked) => Promise.all(asked.map(({ folding, at }) => goOn(database, folding, at))),
  });
  return {
    read(at) {
      const folding = folds.get(at.accountId) ?? { fold: createHistoryFold(), turn: null };
      putRecent(folds, { key: at.accountId, value: folding, most });
      return reading.submit({ folding, at });
    },
  };
}

interface Folding {
  readonly fold: HistoryFold;
  /** Whoever reads the journal now; the next one begins where that one ends. */
  turn: Promise<unknown> | null;
}

async function goOn(database: Database, folding: Folding, at: ReadAt): Promise<AccountHistory> {
  const before = folding.turn;
  const mine = (async () => {
    await before?.catch(() => undefined);
    const { fold } = folding;
    const range = { after: fold.read().version, upTo: at.version };
    if (range.after >= range.upTo) return;
    for await (const { event, seq } of journalLines(database, at.accountId, range)) {
      fold.add(parseEvent(event), seq);
    }
  })();
  folding.turn = mine;
  await mine;
  return folding.fold.read();
}
