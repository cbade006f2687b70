import type { AccountId, ChainedLine } from "@propgate/core";
import {
  type JournalEntry,
  journalLines,
  readLinesContaining,
  readNewestLines,
} from "../storage/journal/journal-store.ts";
import type { Shards } from "../storage/shards/shards.ts";

/**
 * Reads lines of journals, each from the database of its account. All reads except `head` use the few connections that
 * are reserved for long reads.
 */
export interface JournalLines {
  /** The lines after number `after` up to number `upTo`, oldest first. */
  between(
    account: AccountId,
    range: { readonly after: number; readonly upTo: number },
  ): AsyncIterable<ChainedLine>;
  /**
   * The events of the lines after number `after` up to number `upTo`, newest first. Only events whose JSON contains
   * `text` are returned.
   */
  mentions(
    account: AccountId,
    range: { readonly after: number; readonly upTo: number; readonly text: string },
  ): Promise<readonly JournalEntry[]>;
  /** The `limit` lines before number `before`, or the newest ones when it is null, newest first. */
  newest(
    account: AccountId,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<readonly ChainedLine[]>;
  /** The newest line; undefined for an unknown account. */
  head(account: AccountId): Promise<ChainedLine | undefined>;
}

export function openJournalLines(databases: Shards): JournalLines {
  const { longReads } = databases;
  return {
    between: (account, range) => journalLines(longReads.databaseOf(account), account, range),
    mentions: (account, range) =>
      readLinesContaining(longReads.databaseOf(account), account, range),
    newest: (account, page) => readNewestLines(longReads.databaseOf(account), account, page),
    async head(account) {
      const [line] = await readNewestLines(databases.databaseOf(account), account, {
        before: null,
        limit: 1,
      });
      return line;
    },
  };
}
