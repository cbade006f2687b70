import { ERRORS, isRefusalCode } from "@propgate/contract";
import { accountId, assert, type UnixMs, unixMs } from "@propgate/core";
import type { Database, Queryable } from "../databases/database.ts";
import { readJournal } from "../journal/journal-store.ts";
import type {
  AnswerSource,
  ReceiptStore,
  RejectedWrite,
  WriteFate,
  WriteId,
} from "../rows/receipt-store-port.ts";

/**
 * Reads the fate of a nonce. The nonce of an order is a row of its own until it is merged, and it is merged only after
 * its receipt exists. So a merged nonce without a receipt was used by a request that is not an order.
 * @rule D13.withdrawn decides
 */
const READ = `
select coalesce(n.used_at_ms, r.received_at_ms, r.decided_at_ms) as received_at_ms,
  r.nonce is null and n.is_write is not true as is_withdrawn,
  coalesce(n.was_paused, false) as was_paused, r.status, r.result, r.error, r.refusal_code,
  r.account_id, r.first_seq, r.lines, r.rest,
  (select o.created_at_ms from upstream_orders o
    where o.state = 'sending' and o.key_id = w.key_id and o.nonce = w.nonce) as sent_at_ms
from (select $1::text as key_id, $2::text as nonce) as w
  left join nonces n on n.key_id = w.key_id and n.nonce = w.nonce
  left join receipts r on r.key_id = w.key_id and r.nonce = w.nonce
where n.nonce is not null or r.nonce is not null
  or (select nonce_hash(w.nonce) = any (b.hashes) from nonce_blocks b
    where b.key_id = w.key_id and b.first <= nonce_hash(w.nonce)
    order by b.first desc limit 1)`;

/**
 * Closes writes, such as orders, that have no receipt yet: it inserts their receipts. A nonce has one row, which is its
 * final fate: the first insert decides, and a concurrent insert waits for it and then adds no row. An order that is
 * being sent to a validator is left out, because it gets its receipt when the sending ends. Rows are inserted in the
 * same order as in the executor's batches, so that the two cannot deadlock. @rule D9.receipts decides
 */
const END = `
insert into receipts (key_id, nonce, decided_at_ms, status, error, refusal_code, received_at_ms)
select w.*, (select n.used_at_ms from nonces n where n.key_id = w.key_id and n.nonce = w.nonce)
from unnest($1::text[], $2::text[], $3::bigint[], $4::smallint[], $5::text[], $6::text[])
  as w (key_id, nonce, decided_at_ms, status, error, refusal_code)
where not exists (select from upstream_orders o
  where o.state = 'sending' and o.key_id = w.key_id and o.nonce = w.nonce)
order by key_id, nonce
on conflict do nothing`;

/** Does the same as `END`, but only for writes whose nonce is stored with the given time of admission. */
const END_UNDECIDED = `
insert into receipts (key_id, nonce, decided_at_ms, status, error, refusal_code, received_at_ms)
select w.key_id, w.nonce, w.decided_at_ms, w.status, w.error, w.refusal_code, w.admitted_at_ms
from unnest($1::text[], $2::text[], $3::bigint[], $4::smallint[], $5::text[], $6::text[], $7::bigint[])
  as w (key_id, nonce, decided_at_ms, status, error, refusal_code, admitted_at_ms)
  join nonces n on n.key_id = w.key_id and n.nonce = w.nonce
    and n.used_at_ms = w.admitted_at_ms and n.is_write
where not exists (select from upstream_orders o
  where o.state = 'sending' and o.key_id = w.key_id and o.nonce = w.nonce)
order by w.key_id, w.nonce
on conflict do nothing`;

/** The first of the two numbers of every nonce's advisory lock: an arbitrary one, the same on every node. */
const NONCE_LOCK = 7_720_002;

interface FateRow {
  readonly received_at_ms: string | null;
  readonly is_withdrawn: boolean;
  readonly was_paused: boolean;
  readonly status: number | null;
  readonly result: string | null;
  readonly error: string | null;
  readonly refusal_code: string | null;
  readonly account_id: string | null;
  readonly first_seq: string | null;
  readonly lines: number | null;
  readonly rest: string | null;
  readonly sent_at_ms: string | null;
}

/** Reads receipts, and stores the receipts of rejected orders. The executor writes the receipts of accepted orders. */
export function createReceiptStore(database: Database): ReceiptStore {
  return {
    async read({ keyId, nonce }) {
      const [row] = await database.query<FateRow>(READ, [keyId, nonce]);
      return row === undefined ? null : fateOf(row, await resultOf(database, row));
    },
    async closeWrites(writes, now) {
      await database.query(END, columnsOf(writes, now));
    },
    async closeUndecided(writes, now) {
      await database.transaction(async (transaction) => {
        await lockNonces(transaction, writes);
        const admitted = writes.map(({ admittedAtMs }) => admittedAtMs);
        await transaction.query(END_UNDECIDED, [...columnsOf(writes, now), admitted]);
      });
    },
  };
}

function columnsOf(writes: readonly RejectedWrite[], now: UnixMs): readonly (readonly unknown[])[] {
  return [
    writes.map((write) => write.keyId),
    writes.map((write) => write.nonce),
    writes.map(() => now),
    writes.map((write) => write.status),
    writes.map((write) => write.error),
    writes.map((write) => write.refusalCode),
  ];
}

/** The locks are taken in one order, so that two transactions cannot deadlock. */
const LOCK_NONCES = `
select pg_advisory_xact_lock($1::int, hash) from (
  select distinct hashtext(nonce) as hash from unnest($2::text[]) as w (nonce) order by hash) as ordered`;

/**
 * Locks these nonces: until this transaction ends, no other transaction sends their orders or closes their receipts.
 * The next statement sees the commits of the locks' previous holder. The locking statement itself might not see them.
 */
export async function lockNonces(
  transaction: Queryable,
  writes: readonly WriteId[],
): Promise<void> {
  const names = writes.map(({ keyId, nonce }) => `${keyId}\n${nonce}`);
  await transaction.query(LOCK_NONCES, [NONCE_LOCK, names]);
}

/**
 * The source of the answer to an accepted order; null when the order was not accepted. The journal lines were committed
 * with the receipt and never change.
 */
async function resultOf(database: Queryable, row: FateRow): Promise<AnswerSource | string | null> {
  const { account_id, first_seq, lines, rest } = row;
  if (account_id === null || first_seq === null || lines === null || rest === null) {
    return row.result;
  }
  const entries = await readJournal(database, {
    accountId: accountId(account_id),
    afterSequence: Number(first_seq) - 1,
    limit: lines,
  });
  assert(entries.length === lines, "every journal line of a receipt");
  return { events: entries.map(({ event }) => event), rest };
}

function fateOf(
  { received_at_ms, is_withdrawn, was_paused, status, error, refusal_code, sent_at_ms }: FateRow,
  result: AnswerSource | string | null,
): WriteFate {
  if (is_withdrawn) return { fate: "withdrawn", receivedAtMs: null };
  const receivedAtMs = unixMs(Number(received_at_ms));
  if (result !== null) return { fate: "accepted", receivedAtMs, result };
  if (was_paused) {
    const { status: paused, text } = ERRORS.tooManyFailedRequests;
    return { fate: "rejected", receivedAtMs, status: paused, error: text, refusalCode: null };
  }
  if (status === null || error === null) {
    const sentAtMs = sent_at_ms === null ? null : unixMs(Number(sent_at_ms));
    return { fate: "pending", receivedAtMs, sentAtMs };
  }
  // A newer release may have stored a code that this release does not know.
  const refusalCode = isRefusalCode(refusal_code) ? refusal_code : null;
  return { fate: "rejected", receivedAtMs, status, error, refusalCode };
}
