import { type AccountId, evolve, type Instruments } from "@propgate/core";
import type { Database } from "../../storage/databases/database.ts";
import { type Rebuild, rebuildJournal } from "./rebuild-journal.ts";
import { type JournalProof, verifyJournal } from "./verify-journal.ts";

/** Verifies and rebuilds state from the journal, of one account or of all. */
export interface JournalDesk {
  verify(which: AccountId | "all"): Promise<JournalProof>;
  /** Compares the rebuilt state with the stored one; `write` replaces what differs. */
  rebuild(which: AccountId | "all", write: boolean): Promise<Rebuild>;
}

export function createJournalDesk(database: Database, instruments: Instruments): JournalDesk {
  return {
    verify: (which) => verifyJournal(database, which),
    rebuild: (which, write) => rebuildJournal({ database, evolve, instruments, which, write }),
  };
}
