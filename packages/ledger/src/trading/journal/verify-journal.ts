import { type AccountId, type ChainProblem, checkChain, type JournalHead } from "@propgate/core";
import type { Queryable } from "../../storage/databases/database.ts";
import {
  findOrphanedJournals,
  journalLines,
  readJournalHeads,
} from "../../storage/journal/journal-store.ts";
import { sha256 } from "../../storage/journal/line-hash.ts";

/**
 * An account whose journal is not intact, with its first line that was altered or is missing. When the journal has no
 * account, `seq` is 1.
 */
export interface BrokenAccount extends ChainProblem {
  readonly accountId: AccountId;
}

/**
 * The result of `verifyJournal`: the numbers of accounts and lines that were read, and the accounts whose journals are
 * not intact.
 */
export interface JournalProof {
  readonly accounts: number;
  readonly events: number;
  /** Empty when every line is intact, no line is missing, and every journal has its account. */
  readonly broken: readonly BrokenAccount[];
}

/**
 * Recomputes the chain of one account, or of all, and compares it line by line and with the account's head. Journals
 * whose account is missing are reported as broken. It may run beside a running service, and leaves out lines that are
 * written meanwhile.
 */
export async function verifyJournal(
  database: Queryable,
  which: AccountId | "all",
): Promise<JournalProof> {
  let accounts = 0;
  let events = 0;
  const broken: BrokenAccount[] = [];
  for await (const head of readJournalHeads(database, which)) {
    accounts += 1;
    const found = await verifyAccount(database, head);
    events += found.events;
    if (found.broken !== null) broken.push(found.broken);
  }
  for (const accountId of await findOrphanedJournals(database, which)) {
    broken.push({ accountId, seq: 1, why: "it has journal lines, but the account is missing" });
  }
  return { accounts, events, broken };
}

async function verifyAccount(
  database: Queryable,
  head: JournalHead,
): Promise<{ readonly events: number; readonly broken: BrokenAccount | null }> {
  const { accountId, version } = head;
  const chain = checkChain(sha256, head);
  const verified = (problem: ChainProblem | null) => ({
    events: chain.lines,
    broken: problem === null ? null : { accountId, ...problem },
  });
  for await (const line of journalLines(database, accountId, { after: 0, upTo: version })) {
    const problem = chain.read(line);
    if (problem !== null) return verified(problem);
  }
  return verified(chain.end());
}
