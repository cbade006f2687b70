import { ERRORS, isRefusalCode } from "@propgate/contract";
import { type UnixMs, unixMs } from "@propgate/core";
import type { Database } from "../databases/database.ts";
import type { EndedWrite, ReceiptStore, WriteFate } from "../rows/receipt-store-port.ts";

const READ = `
select n.used_at_ms, n.was_paused, r.status, r.result, r.error, r.refusal_code
from nonces n left join receipts r using (key_id, nonce)
where n.key_id = $1 and n.nonce = $2 and n.is_write`;

/** The first row of a nonce decides; a concurrent insert waits for it and then does nothing. */
const END = `
insert into receipts (key_id, nonce, decided_at_ms, status, error, refusal_code)
select * from unnest($1::text[], $2::text[], $3::bigint[], $4::smallint[], $5::text[], $6::text[])
on conflict do nothing`;

interface FateRow {
  readonly used_at_ms: string;
  readonly was_paused: boolean;
  readonly status: number | null;
  readonly result: string | null;
  readonly error: string | null;
  readonly refusal_code: string | null;
}

/** Reads receipts and stores rejections; the executor writes accepted orders. @rule D9.receipts D10.pausedKey */
export function createReceiptStore(database: Database): ReceiptStore {
  return {
    async read({ keyId, nonce }) {
      const [row] = await database.query<FateRow>(READ, [keyId, nonce]);
      return row === undefined ? null : fateOf(row);
    },
    async end(writes: readonly EndedWrite[], now: UnixMs) {
      await database.query(END, [
        writes.map((write) => write.keyId),
        writes.map((write) => write.nonce),
        writes.map(() => now),
        writes.map((write) => write.status),
        writes.map((write) => write.error),
        writes.map((write) => write.refusalCode),
      ]);
    },
  };
}

function fateOf({
  used_at_ms,
  was_paused,
  status,
  result,
  error,
  refusal_code,
}: FateRow): WriteFate {
  const receivedAtMs = unixMs(Number(used_at_ms));
  if (result !== null) return { fate: "accepted", receivedAtMs, result };
  if (was_paused) {
    const { status: paused, text } = ERRORS.tooManyFailedRequests;
    return { fate: "rejected", receivedAtMs, status: paused, error: text, refusalCode: null };
  }
  if (status === null || error === null) return { fate: "pending", receivedAtMs };
  // This release cannot name a code of a newer one.
  const refusalCode = isRefusalCode(refusal_code) ? refusal_code : null;
  return { fate: "rejected", receivedAtMs, status, error, refusalCode };
}
