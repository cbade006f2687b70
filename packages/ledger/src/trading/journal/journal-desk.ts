import { type AccountId, evolve, type Instruments } from "@propgate/core";
import type { Database } from "../../storage/databases/database.ts";
import {
  exportJournal,
  type JournalPart,
  type WholeJournal,
  wholeJournal,
} from "./journal-export.ts";
import { type Rebuild, rebuildJournal } from "./rebuild-journal.ts";
import { type JournalProof, verifyJournal } from "./verify-journal.ts";

/** Verifies and rebuilds state from the journal, of one account or of all. */
export interface JournalDesk {
  verify(which: AccountId | "all"): Promise<JournalProof>;
  /** Compares the rebuilt state with the stored one; `write` replaces what differs. */
  rebuild(which: AccountId | "all", write: boolean): Promise<Rebuild>;
  /** The texts of the account's journal file, or of a part of it. */
  export(which: AccountId, part: JournalPart): AsyncIterable<string>;
  /** All lines, and the catalogues that they name; no lines for an unknown account. */
  whole(which: AccountId): Promise<WholeJournal>;
}

export function createJournalDesk(database: Database, instruments: Instruments): JournalDesk {
  return {
    verify: (which) => verifyJournal(database, which),
    export: (which, part) => exportJournal(database, which, part),
    whole: (which) => wholeJournal(database, which),
    rebuild: (which, write) => rebuildJournal({ database, evolve, instruments, which, write }),
  };
}
