import type { AccountId } from "@propgate/core";
import type { Queryable } from "../../storage/databases/database.ts";
import { CHAIN_START, chainHash } from "../../storage/journal/chain.ts";
import {
  type AccountHead,
  accountHeads,
  journalLines,
  orphans,
} from "../../storage/journal/journal-store.ts";

/** The first line of an account that was altered. */
export interface BrokenAccount {
  readonly accountId: AccountId;
  readonly seq: number;
  readonly why: string;
}

export interface JournalProof {
  readonly accounts: number;
  readonly events: number;
  /** Empty when every line is intact and none is missing. */
  readonly broken: readonly BrokenAccount[];
}

/**
 * Recomputes the chain of one account, or of all, and compares it line by line and with the
 * account's head. May run beside a running service: lines written meanwhile are left out.
 */
export async function verifyJournal(
  database: Queryable,
  which: AccountId | "all",
): Promise<JournalProof> {
  let accounts = 0;
  let events = 0;
  const broken: BrokenAccount[] = [];
  for await (const head of accountHeads(database, which)) {
    accounts += 1;
    const found = await verifyAccount(database, head);
    events += found.events;
    if (found.broken !== null) broken.push(found.broken);
  }
  for (const accountId of await orphans(database, which)) {
    broken.push({ accountId, seq: 1, why: "it has journal lines, but the account is missing" });
  }
  return { accounts, events, broken };
}

async function verifyAccount(
  database: Queryable,
  { accountId, version, headHash }: AccountHead,
): Promise<{ readonly events: number; readonly broken: BrokenAccount | null }> {
  let events = 0;
  let hash = CHAIN_START;
  const at = (seq: number, why: string) => ({ events, broken: { accountId, seq, why } });
  for await (const line of journalLines(database, accountId, { after: 0, upTo: version })) {
    if (line.seq !== events + 1) return at(events + 1, "the line is missing");
    hash = chainHash(hash, line);
    if (!isSame(hash, line.hash)) return at(line.seq, "the line is not as it was written");
    events = line.seq;
  }
  if (events !== version) return at(events + 1, "the line is missing");
  if (!isSame(hash, headHash)) return at(version, "the account does not follow from this line");
  return { events, broken: null };
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
