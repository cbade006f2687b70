import { accountId, type UnixMs, unixMs } from "@propgate/core";
import type { ApiKey, KeyScope, KeyUse, StoredKey } from "../../keys/api-key.ts";
import type { KeyStore } from "../../keys/key-store-port.ts";
import type { Database, Queryable } from "../database.ts";

interface KeyRow {
  readonly key_id: string;
  readonly account_id: string;
  readonly scopes: readonly string[];
  readonly label: string;
  readonly addresses: readonly string[];
  readonly created_at_ms: string;
  readonly expires_at_ms: string | null;
  readonly revoked_at_ms: string | null;
}

interface StoredRow extends KeyRow {
  readonly sealed_secret: Uint8Array;
}

interface UseRow extends KeyRow {
  readonly last_used_at_ms: string | null;
  readonly last_used_from: string | null;
  readonly reads: number;
  readonly window_start_ms: string;
  readonly rejections: number;
  readonly cooldown_until_ms: string | null;
}

const COLUMNS = `k.key_id, k.account_id, k.scopes, k.label, k.addresses,
  k.created_at_ms, k.expires_at_ms, k.revoked_at_ms`;

/** Keys in the database; beside each stands the row of `key_usage` that admission counts in. */
export function keyStore(database: Database): KeyStore {
  return {
    insert: (key) => database.transaction((transaction) => insert(transaction, key)),
    async find(keyIds) {
      const text = `select ${COLUMNS}, k.sealed_secret from keys k where k.key_id = any ($1)`;
      return (await database.query<StoredRow>(text, [keyIds])).map(storedKey);
    },
    async list(account, rejectedSinceMs) {
      return (await database.query<UseRow>(LIST, [account, rejectedSinceMs])).map(keyUse);
    },
    async revoke(keyId, atMs) {
      const text = `update keys set revoked_at_ms = $2
        where key_id = $1 and revoked_at_ms is null returning key_id`;
      return (await database.query(text, [keyId, atMs])).length > 0;
    },
    async relabel(keyId, label) {
      const text = "update keys set label = $2 where key_id = $1 returning key_id";
      return (await database.query(text, [keyId, label])).length > 0;
    },
    async page(after, limit) {
      const text = `select ${COLUMNS}, k.sealed_secret from keys k
        where $1::text is null or k.key_id > $1 order by k.key_id limit $2`;
      return (await database.query<StoredRow>(text, [after, limit])).map(storedKey);
    },
    async reseal(keys) {
      if (keys.length === 0) return 0;
      const rows = await database.query(RESEAL, [
        keys.map(({ keyId }) => keyId),
        keys.map(({ from }) => from),
        keys.map(({ to }) => to),
      ]);
      return rows.length;
    },
    async sealedUnder() {
      const rows = await database.query<{ version: number; keys: number }>(
        `select get_byte(sealed_secret, 0) as version, count(*)::int as keys
         from keys group by 1 order by 1`,
        [],
      );
      return new Map(rows.map(({ version, keys }) => [version, keys]));
    },
  };
}

/** Locked in the order of their ids, so that two nodes that do so at once cannot wait for each other. */
const RESEAL = `
with asked as materialized (
  select * from unnest($1::text[], $2::bytea[], $3::bytea[]) as a (key_id, was, becomes)
), held as materialized (
  select k.key_id, a.becomes from keys k join asked a using (key_id)
  where k.sealed_secret = a.was order by k.key_id for no key update of k
)
update keys k set sealed_secret = h.becomes from held h
where k.key_id = h.key_id returning k.key_id`;

const LIST = `select ${COLUMNS}, u.last_used_at_ms, u.last_used_from,
    u.reads, u.window_start_ms, u.cooldown_until_ms,
    (select count(*)::int from unnest(u.rejections) as r (at_ms) where r.at_ms >= $2) as rejections
  from keys k join key_usage u using (key_id)
  where $1::uuid is null or k.account_id = $1
  order by k.created_at_ms desc, k.key_id`;

async function insert(transaction: Queryable, key: StoredKey): Promise<void> {
  await transaction.query(
    `insert into keys (key_id, account_id, scopes, label, addresses, sealed_secret,
       created_at_ms, expires_at_ms, revoked_at_ms)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      key.keyId,
      key.accountId,
      key.scopes,
      key.label,
      key.addresses,
      key.sealedSecret,
      key.createdAtMs,
      key.expiresAtMs,
      key.revokedAtMs,
    ],
  );
  await transaction.query("insert into key_usage (key_id) values ($1)", [key.keyId]);
}

function apiKey(row: KeyRow): ApiKey {
  return {
    keyId: row.key_id,
    accountId: accountId(row.account_id),
    scopes: row.scopes.filter(isScope),
    label: row.label,
    addresses: row.addresses,
    createdAtMs: unixMs(Number(row.created_at_ms)),
    expiresAtMs: timeOrNull(row.expires_at_ms),
    revokedAtMs: timeOrNull(row.revoked_at_ms),
  };
}

function storedKey(row: StoredRow): StoredKey {
  return { ...apiKey(row), sealedSecret: row.sealed_secret };
}

function keyUse(row: UseRow): KeyUse {
  return {
    ...apiKey(row),
    lastUsedAtMs: timeOrNull(row.last_used_at_ms),
    lastUsedFrom: row.last_used_from,
    reads: row.reads,
    readWindowStartMs: unixMs(Number(row.window_start_ms)),
    rejections: row.rejections,
    cooldownUntilMs: timeOrNull(row.cooldown_until_ms),
  };
}

function isScope(word: string): word is KeyScope {
  return word === "read" || word === "place";
}

function timeOrNull(value: string | null): UnixMs | null {
  return value === null ? null : unixMs(Number(value));
}
