import { type AccountId, type AccountState, dueAtMs, type Instruments } from "@propgate/core";
import type { Decider } from "../network/decider.ts";
import { isExposed } from "../storage/account-rows.ts";
import type { Database, Queryable } from "../storage/database.ts";
import { hasProjections, replaceProjections } from "../storage/projection-rows.ts";
import { type AccountHead, accountHeads, journalLines, lockHead } from "./journal-store.ts";
import { parseEvent } from "./parse-event.ts";
import { createProjector, type Projector } from "./projections.ts";

export interface Rebuild {
  readonly accounts: number;
  /** Of whom something stored is not what the journal makes: state, due time, trades, payouts, days. */
  readonly different: readonly AccountId[];
  /** Of those, how many were written anew. */
  readonly written: number;
}

interface RebuildNeeds {
  readonly database: Database;
  readonly evolve: Decider["evolve"];
  /** When something falls due is a matter of the catalogue of now. */
  readonly instruments: Instruments;
}

/**
 * Folds every event of one account, or of all, and compares all that is made of them with what is
 * stored: the state, byte for byte, what stands beside it, and the tables of trades, payouts and
 * daily returns. With `write`, what differs is replaced; the journal itself is never touched.
 */
export async function rebuildJournal(
  need: RebuildNeeds & { readonly which: AccountId | "all"; readonly write: boolean },
): Promise<Rebuild> {
  let accounts = 0;
  let written = 0;
  const different: AccountId[] = [];
  for await (const head of accountHeads(need.database, need.which)) {
    accounts += 1;
    const made = createMade();
    await foldUpTo(need, made, head);
    if (await isStored(need, made, head)) continue;
    const { differs, isWritten } = await lookAgain(need, made, head.accountId);
    if (differs) different.push(head.accountId);
    if (isWritten) written += 1;
  }
  return { accounts, different, written };
}

/** What the journal makes of an account, up to a line. */
interface Made {
  version: number;
  state: AccountState | null;
  readonly projector: Projector;
}

function createMade(): Made {
  return { version: 0, state: null, projector: createProjector() };
}

async function foldUpTo(
  { database, evolve }: { readonly database: Queryable; readonly evolve: Decider["evolve"] },
  made: Made,
  { accountId, version: upTo }: AccountHead,
): Promise<void> {
  const range = { after: made.version, upTo };
  for await (const line of journalLines(database, accountId, range)) {
    const event = parseEvent(line.event);
    made.projector.add({ accountId, seq: line.seq, event, before: made.state });
    made.state = evolve(made.state, event);
    made.version = line.seq;
  }
}

/**
 * A service at work may have moved the account on in between, which looks like a difference. So it
 * is looked at again while nobody can write it, which takes no longer than what has come since.
 */
function lookAgain(
  need: RebuildNeeds & { readonly write: boolean },
  made: Made,
  id: AccountId,
): Promise<{ readonly differs: boolean; readonly isWritten: boolean }> {
  return need.database.transaction(async (transaction) => {
    const head = await lockHead(transaction, id);
    if (head === null) return { differs: true, isWritten: false };
    const on = { ...need, database: transaction };
    await foldUpTo(on, made, head);
    if (await isStored(on, made, head)) return { differs: false, isWritten: false };
    // An account without a journal cannot be made again; verifying names it.
    if (!need.write || made.state === null) return { differs: true, isWritten: false };
    await replace(on, made.state, made.projector);
    return { differs: true, isWritten: true };
  });
}

async function isStored(
  { database, instruments }: { readonly database: Queryable; readonly instruments: Instruments },
  { state, projector }: Made,
  head: AccountHead,
): Promise<boolean> {
  return (
    state !== null &&
    JSON.stringify(state) === head.state &&
    state.status === head.status &&
    isExposed(state) === head.exposed &&
    dueAtMs(state, instruments) === head.dueAtMs &&
    (await hasProjections(database, head.accountId, projector.rows()))
  );
}

async function replace(
  on: { readonly database: Queryable; readonly instruments: Instruments },
  state: AccountState,
  projector: Projector,
): Promise<void> {
  const { accountId, status } = state;
  await on.database.query(
    `update accounts set state = $2, status = $3, exposed = $4, due_at_ms = $5
     where account_id = $1`,
    [accountId, JSON.stringify(state), status, isExposed(state), dueAtMs(state, on.instruments)],
  );
  await replaceProjections(on.database, accountId, projector.rows());
}
