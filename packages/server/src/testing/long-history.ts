import { type AccountId, evolve } from "@propgate/core";
import type { Queryable } from "../../../ledger/src/storage/databases/database.ts";
import { createStateCache } from "../../../ledger/src/trading/state-cache.ts";

/** The time between two copies of a line. */
const APART_MS = 1_000;

const UUID_END = "(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})";
/** The SQL expression for a text with other ids in each copy. Only the first eight characters of each id change. */
const renamed = (text: string): string =>
  `regexp_replace(${text}, '[0-9a-f]{8}${UUID_END}', lpad(to_hex(n), 8, '0') || '\\1', 'g')`;

/**
 * Makes the journal of an account about `lines` long with copies of its lines. The copies have other ids, and the same
 * time or an earlier one. Copies of an edit edit the same order, so that order has as many lines as there are copies.
 * The account's trades, receipts and nonces are copied equally often. No process may have the account in memory. The
 * hashes of the copies do not form a chain. Returns the number of lines.
 */
export async function lengthenHistory(
  database: Queryable,
  account: AccountId,
  lines: number,
): Promise<number> {
  const [known] = await createStateCache(database, { evolve, onFault() {} }).load([account]);
  if (known === undefined) throw new Error(`there is no account ${account}`);
  const copies = Math.max(0, Math.ceil(lines / known.version) - 1);
  const length = known.version * (copies + 1);
  for (const statement of COPIED) await database.query(statement, [account, known.version, copies]);
  await database.query(RETURNS, [account, length]);
  await database.query(STATE, [account, length, JSON.stringify(known.state)]);
  await database.query("analyze");
  return length;
}

const COPIES = "generate_series(1, $3::bigint) n";
const OWN = "account_id = $1 and seq <= $2::bigint";
const EARLIER = `at_ms - ($3::bigint - n) * ${APART_MS}`;

const JOURNAL = `
insert into journal (account_id, seq, at_ms, origin, key_id, nonce, command, event, inputs, hash)
select account_id, seq + n * $2::bigint, ${EARLIER}, origin, key_id, nonce || '-' || n, command,
  case when journal_text(event) like '{"type":"orderEdited"%' then event else ${renamed("event")} end,
  inputs, sha256(convert_to(seq || '-' || n, 'UTF8'))
from journal, ${COPIES} where ${OWN}`;

const TRADES = `
insert into trades (account_id, seq, trade_id, closed_at_ms, trade)
select account_id, seq + n * $2::bigint, ${renamed("trade_id")}, closed_at_ms, ${renamed("trade")}
from trades, ${COPIES} where ${OWN}`;

const RECEIPTS = `
insert into receipts (key_id, nonce, decided_at_ms, status, result, error, refusal_code,
  received_at_ms, first_seq, account_id, lines, rest)
select key_id, nonce || '-' || n, decided_at_ms, status, result, error, refusal_code,
  received_at_ms, first_seq + n * $2::bigint, r.account_id, lines, rest
from receipts r join keys k using (key_id), ${COPIES} where k.account_id = $1 and $2::bigint > 0`;

const NONCES = `
insert into nonces (key_id, nonce, used_at_ms, is_write, was_paused)
select key_id, nonce || '-' || n, used_at_ms, is_write, was_paused
from nonces join keys k using (key_id), ${COPIES} where k.account_id = $1 and $2::bigint > 0`;

const COPIED = [JOURNAL, TRADES, RECEIPTS, NONCES];

/** Daily returns: one row for ten journal lines, and at most a year of rows. */
const RETURNS = `
insert into daily_returns (account_id, day_start_ms, percent)
select account_id, (created_at_ms / 86400000 - n) * 86400000, 0
from accounts, generate_series(1, least(365, $2::bigint / 10)) n where account_id = $1`;

const STATE = `
with snapshot as (
  update account_states set version = $2::bigint, state = $3 where account_id = $1
)
update accounts a set version = $2::bigint, head_hash = j.hash
from journal j where a.account_id = $1 and j.account_id = $1 and j.seq = $2::bigint`;
