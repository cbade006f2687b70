import type { JournalEntry, JournalPage } from "@propgate/contract";

/** The part of a journal that is loaded: its newest entries without a gap, newest first. */
export interface KnownJournal {
  readonly entries: readonly JournalEntry[];
  /** The cursor with which the next older entries are loaded; null when all entries are loaded. */
  readonly before: number | null;
}

export const NOTHING_KNOWN: KnownJournal = { entries: [], before: null };

/**
 * Adds a page of newest or of older entries. Entries never change, so a page may contain known ones again. When a page
 * of newest entries does not reach the known ones, the known ones are dropped and can be loaded again.
 */
export function addPage(known: KnownJournal, page: JournalPage): KnownJournal {
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

/** The cursor with which entries older than all of these are loaded; null when there are none to load. */
function beforeOf(
  entries: readonly JournalEntry[],
  known: KnownJournal,
  page: JournalPage,
): number | null {
  const oldest = entries.at(-1)?.sequence;
  const from = [page, known].find((one) => one.entries.at(-1)?.sequence === oldest);
  return from === undefined ? (oldest ?? null) : from.before;
}
