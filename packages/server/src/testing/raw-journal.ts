import { createHash } from "node:crypto";
import type { AccountId } from "@propgate/core";
import type { Queryable } from "../../../ledger/src/storage/databases/database.ts";

/** Adds an account without lines, for tests that need only the order of journal lines. */
export async function addBareAccount(
  database: Queryable,
  account: AccountId,
  owner: string,
): Promise<void> {
  await database.query(
    `insert into accounts (account_id, owner_id, status, version, head_hash, exposed, due_at_ms, created_at_ms)
     values ($1, $2, 'active', 0, '\\x00', false, null, 0)`,
    [account, owner],
  );
}

/**
 * Adds lines after the account's version, as the executor does: only if the account still has that version. Returns
 * whether the lines were written. Their hashes depend only on the account and the numbers of the lines.
 */
export async function addBareLines(
  on: Queryable,
  account: AccountId,
  lines: { readonly version: number; readonly events: readonly string[] },
): Promise<boolean> {
  const { version, events } = lines;
  const written = await on.query(
    `with locked as (
       update accounts set version = version + $3 where account_id = $1 and version = $2 returning account_id)
     insert into journal (account_id, seq, at_ms, origin, command, event, hash)
     select account_id, $2 + n, 0, 'clock', 'passTime', event, hash
     from locked, unnest($4::text[], $5::bytea[]) with ordinality as e (event, hash, n) returning seq`,
    [
      account,
      version,
      events.length,
      events,
      events.map((_, index) => `\\x${bareHash(account, version + index + 1).toString("hex")}`),
    ],
  );
  return written.length === events.length;
}

export function bareHash(account: string, sequence: number): Buffer {
  return createHash("sha256").update(`${account} ${sequence}`).digest();
}
