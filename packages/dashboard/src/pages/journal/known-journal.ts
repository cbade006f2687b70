import type { JournalEntry, JournalPage } from "@propgate/contract";

/** What has been loaded of a journal: its newest entries without a gap, newest first. */
export interface KnownJournal {
  readonly entries: readonly JournalEntry[];
  /** Where older ones go on; null: all are loaded. */
  readonly before: number | null;
}

export const NOTHING_KNOWN: KnownJournal = { entries: [], before: null };

/**
 * Adds a page, of the newest entries or of older ones. Entries never change, so none is fetched
 * twice; should so many have come since that the page does not reach those that were known, the
 * older ones are left to be loaded again.
 */
export function withPage(known: KnownJournal, page: JournalPage): KnownJournal {
  const bySequence = new Map(
    [...known.entries, ...page.entries].map((entry) => [entry.sequence, entry]),
  );
  const all = [...bySequence.values()].toSorted((one, other) => other.sequence - one.sequence);
  const gap = all.findIndex((entry, index) => isAfterGap(entry, all[index - 1]));
  const entries = gap === -1 ? all : all.slice(0, gap);
  return { entries, before: beforeOf(entries, known, page) };
}

function isAfterGap(entry: JournalEntry, newer: JournalEntry | undefined): boolean {
  return newer !== undefined && newer.sequence - entry.sequence > 1;
}

/** What the page with the oldest entry of all said. */
function beforeOf(
  entries: readonly JournalEntry[],
  known: KnownJournal,
  page: JournalPage,
): number | null {
  const oldest = entries.at(-1)?.sequence;
  const from = [page, known].find((one) => one.entries.at(-1)?.sequence === oldest);
  return from === undefined ? (oldest ?? null) : from.before;
}
