import { type UnixMs, unixMs } from "@propgate/core";
import type { EndedWrite, ReceiptStore, WriteFate } from "../../receipts/receipt-store-port.ts";
import type { Database } from "../database.ts";

const READ = `
select n.used_at_ms, r.status, r.result, r.error
from nonces n left join receipts r using (key_id, nonce)
where n.key_id = $1 and n.nonce = $2 and n.is_write`;

/** Whoever writes a row of the same nonce first, decides; the other one waits for it and gives way. */
const END = `
insert into receipts (key_id, nonce, decided_at_ms, status, error)
select * from unnest($1::text[], $2::text[], $3::bigint[], $4::smallint[], $5::text[])
on conflict do nothing`;

interface FateRow {
  readonly used_at_ms: string;
  readonly status: number | null;
  readonly result: string | null;
  readonly error: string | null;
}

/** Receipts in the database; those of accepted orders the executor writes. @rule D9.receipts */
export function receiptStore(database: Database): ReceiptStore {
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
      ]);
    },
  };
}

function fateOf({ used_at_ms, status, result, error }: FateRow): WriteFate {
  const receivedAtMs = unixMs(Number(used_at_ms));
  if (result !== null) return { fate: "accepted", receivedAtMs, result };
  if (status === null || error === null) return { fate: "pending", receivedAtMs };
  return { fate: "rejected", receivedAtMs, status, error };
}
