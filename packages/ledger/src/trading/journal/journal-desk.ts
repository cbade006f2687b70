import { type AccountId, evolve, type Instruments, type RecordedEnd } from "@propgate/core";
import type { Database } from "../../storage/databases/database.ts";
import {
  exportJournal,
  findRecordedElimination,
  type JournalEnding,
  type JournalPart,
  readJournalEnding,
} from "./journal-export.ts";
import { type RebuildResult, rebuildJournal } from "./rebuild-journal.ts";
import { type JournalProof, verifyJournal } from "./verify-journal.ts";

/** Verifies, rebuilds and exports the journals of one database's accounts. */
export interface JournalDesk {
  verify(which: AccountId | "all"): Promise<JournalProof>;
  /** Compares rebuilt data with the stored data. With `write`, the stored data of accounts that differ are replaced. */
  rebuild(which: AccountId | "all", write: boolean): Promise<RebuildResult>;
  /** The account's journal file, or a part of it, as a series of texts that joined together are the file. */
  export(which: AccountId, part: JournalPart): AsyncIterable<string>;
  /**
   * The account's last lines, among them its elimination if there is one, and the catalogues that they name. For an
   * unknown account there are no lines.
   */
  readLastLines(which: AccountId, linesMax: number): Promise<JournalEnding>;
  /**
   * The account's elimination, which is searched from the newest line backwards; null for an account that was not
   * eliminated.
   */
  findElimination(which: AccountId): Promise<RecordedEnd | null>;
}

export function createJournalDesk(database: Database, instruments: Instruments): JournalDesk {
  return {
    verify: (which) => verifyJournal(database, which),
    export: (which, part) => exportJournal(database, which, part),
    readLastLines: (which, linesMax) => readJournalEnding(database, which, linesMax),
    findElimination: (which) => findRecordedElimination(database, which),
    rebuild: (which, write) => rebuildJournal({ database, evolve, instruments, which, write }),
  };
}
