import { boolean, count, list, object, optional, string, type Wire } from "../schema.ts";

export const VERIFY_JOURNAL = object("Which journals to verify.", {
  accountId: optional(string("One account; all accounts unless given.")),
});
export type VerifyJournalRequest = Wire<typeof VERIFY_JOURNAL>;

export const JOURNAL_PROOF = object("The result of verifying the hash chains.", {
  accounts: count("Accounts that were verified."),
  events: count("Events that were verified."),
  broken: list(
    object("The first wrong line of an account.", {
      accountId: string("The account."),
      sequence: count("The line's number."),
      problem: string("The problem."),
    }),
    "Accounts whose journal was altered.",
  ),
});
export type JournalProofView = Wire<typeof JOURNAL_PROOF>;

export const REBUILD_JOURNAL = object("Which accounts to rebuild.", {
  accountId: optional(string("One account; all accounts unless given.")),
  write: optional(
    boolean("True replaces the rows that differ; false, the default, only compares."),
  ),
});
export type RebuildJournalRequest = Wire<typeof REBUILD_JOURNAL>;

export const JOURNAL_REBUILD = object("A comparison of the stored rows with the journals.", {
  accounts: count("Accounts that were compared."),
  different: list(string("An account's id."), "Accounts with rows that differ from the journal."),
  written: count("How many of them were replaced."),
});
export type JournalRebuildView = Wire<typeof JOURNAL_REBUILD>;
