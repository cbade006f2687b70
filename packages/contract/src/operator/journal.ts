import { boolean, count, list, object, optional, string, type Wire } from "../schema.ts";

export const VERIFY_JOURNAL = object("Which journals to verify.", {
  accountId: optional(string("The account whose journal to verify; all accounts if omitted.")),
});
export type VerifyJournalRequest = Wire<typeof VERIFY_JOURNAL>;

export const JOURNAL_PROOF = object("The result of the verification of the hash chains.", {
  accounts: count("Number of accounts that were verified."),
  events: count("Number of events that were verified."),
  broken: list(
    object("The first altered line of an account's journal.", {
      accountId: string("The id of the account."),
      sequence: count("The sequence number of the line."),
      problem: string("The problem that was found in the line."),
    }),
    "The accounts whose journal was altered; empty if none was.",
  ),
});
export type JournalProofView = Wire<typeof JOURNAL_PROOF>;

export const REBUILD_JOURNAL = object("Which accounts to rebuild.", {
  accountId: optional(string("The account to rebuild; all accounts if omitted.")),
  write: optional(
    boolean(
      "True replaces the rows that differ from the journal. False, the default, only compares them.",
    ),
  ),
});
export type RebuildJournalRequest = Wire<typeof REBUILD_JOURNAL>;

export const JOURNAL_REBUILD = object(
  "The result of the comparison of stored rows with the journals.",
  {
    accounts: count("Number of accounts that were compared."),
    different: list(
      string("The id of an account."),
      "The accounts with rows that differ from their journal.",
    ),
    written: count("Number of these accounts whose rows were replaced."),
  },
);
export type JournalRebuildView = Wire<typeof JOURNAL_REBUILD>;
