import { type AccountId, evolve, type Instruments, type RecordedEnd } from "@propgate/core";
import type { Database } from "../../storage/databases/database.ts";
import {
  exportJournal,
  type JournalEnding,
  type JournalPart,
  journalEnd,
  journalEnding,
} from "./journal-export.ts";
import { type Rebuild, rebuildJournal } from "./rebuild-journal.ts";
import { type JournalProof, verifyJournal } from "./verify-journal.ts";

/** Verifies and rebuilds state from the journal, of one account or of all. */
export interface JournalDesk {
  verify(which: AccountId | "all"): Promise<JournalProof>;
  /** Compares the rebuilt state with the stored one; with `write` a state that differs is replaced. */
  rebuild(which: AccountId | "all", write: boolean): Promise<Rebuild>;
  /** The texts of the account's journal file, or of a part of it. */
  export(which: AccountId, part: JournalPart): AsyncIterable<string>;
  /** Its last lines with the catalogues that they name, its elimination among them; none for an unknown account. */
  ending(which: AccountId, linesMax: number): Promise<JournalEnding>;
  /** Its elimination, read from the newest line back to it; null for an account that was not eliminated. */
  end(which: AccountId): Promise<RecordedEnd | null>;
}

export function createJournalDesk(database: Database, instruments: Instruments): JournalDesk {
  return {
    verify: (which) => verifyJournal(database, which),
    export: (which, part) => exportJournal(database, which, part),
    ending: (which, linesMax) => journalEnding(database, which, linesMax),
    end: (which) => journalEnd(database, which),
    rebuild: (which, write) => rebuildJournal({ database, evolve, instruments, which, write }),
  };
}
