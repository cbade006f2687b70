import { type AccountId, type AccountState, dueAtMs, type Instruments } from "@propgate/core";
import type { Decider } from "../network/decider.ts";
import { isExposed } from "../storage/account-rows.ts";
import type { Database, Queryable } from "../storage/database.ts";
import { type AccountHead, accountHeads, journalLines, parseEvent } from "./journal-store.ts";

export interface Rebuild {
  readonly accounts: number;
  /** Whose stored state is not, byte for byte, what the journal makes. */
  readonly different: readonly AccountId[];
  /** Of those, how many were written anew. */
  readonly written: number;
}

/**
 * Folds every event of one account, or of all, and compares the result with the stored state. With
 * `write`, a state that differs is replaced; the journal itself is never touched.
 */
export async function rebuildJournal(need: {
  readonly database: Database;
  readonly evolve: Decider["evolve"];
  readonly instruments: Instruments;
  readonly which: AccountId | "all";
  readonly write: boolean;
}): Promise<Rebuild> {
  const { database, evolve, which } = need;
  let accounts = 0;
  let written = 0;
  const different: AccountId[] = [];
  for await (const head of accountHeads(database, which)) {
    accounts += 1;
    const state = await fold(database, evolve, head);
    if (JSON.stringify(state) === head.state) continue;
    different.push(head.accountId);
    if (need.write && state !== null && (await replace(need, head, state))) written += 1;
  }
  return { accounts, different, written };
}

async function fold(
  database: Queryable,
  evolve: Decider["evolve"],
  { accountId, version }: AccountHead,
): Promise<AccountState | null> {
  let state: AccountState | null = null;
  for await (const line of journalLines(database, accountId, version)) {
    state = evolve(state, parseEvent(line.event));
  }
  return state;
}

/** Left alone when the account has moved on since: its new state came from the executor. */
async function replace(
  { database, instruments }: { readonly database: Queryable; readonly instruments: Instruments },
  head: AccountHead,
  state: AccountState,
): Promise<boolean> {
  const rows = await database.query(
    `update accounts set state = $3, status = $4, exposed = $5, due_at_ms = $6
     where account_id = $1 and version = $2 returning account_id`,
    [
      head.accountId,
      head.version,
      JSON.stringify(state),
      state.status,
      isExposed(state),
      dueAtMs(state, instruments),
    ],
  );
  return rows.length > 0;
}
