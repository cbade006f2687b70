import { accountId, type OwnerId, type UnixMs, unixMs } from "@propgate/core";
import { alertsFrom, type Database, type Queryable } from "@propgate/ledger";
import type { ApiKey, KeyScope, KeyUse, StoredKey } from "./api-key.ts";
import type { KeyChange, KeyStore } from "./key-store-port.ts";

interface KeyRow {
  readonly key_id: string;
  readonly account_id: string;
  readonly scopes: readonly string[];
  readonly label: string;
  readonly addresses: readonly string[];
  readonly created_at_ms: string;
  readonly expires_at_ms: string | null;
  readonly revoked_at_ms: string | null;
  readonly paused_at_ms: string | null;
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
  k.created_at_ms, k.expires_at_ms, k.revoked_at_ms, k.paused_at_ms`;

/** Stores keys in one database. Each key also has a row in `key_usage`, where admission counts its requests. */
export function createKeyStore(database: Database): KeyStore {
  return {
    insert: (key, { activeMax, by }) =>
      database.transaction(async (transaction) => {
        if (!(await hasRoom(transaction, key, activeMax))) return false;
        await insert(transaction, key);
        await transaction.query(ALERT_CREATED, [key.keyId, by]);
        return true;
      }),
    async find(keyIds) {
      const text = `select ${COLUMNS}, k.sealed_secret from keys k where k.key_id = any ($1)`;
      return (await database.query<StoredRow>(text, [keyIds])).map(storedKey);
    },
    async list(account, rejectedSinceMs) {
      return (await database.query<UseRow>(LIST, [account, rejectedSinceMs])).map(keyUse);
    },
    async revoke(keyId, { atMs, by }) {
      return (await database.query(REVOKE, [keyId, atMs, by])).length > 0;
    },
    async countOfOwner(owner, now) {
      const [row] = await database.query<{ readonly active: number; readonly paused: number }>(
        `select count(*) filter (where k.paused_at_ms is null)::int as active,
           count(k.paused_at_ms)::int as paused
         from keys k join accounts a using (account_id)
         where a.owner_id = $1 and k.revoked_at_ms is null
           and (k.expires_at_ms is null or k.expires_at_ms > $2)`,
        [owner, now],
      );
      return { active: row?.active ?? 0, paused: row?.paused ?? 0 };
    },
    async changeOfOwner(owner, given) {
      const { set, where, alerted } = CHANGES[given.change];
      // Keys are locked in the order of their ids, so that two concurrent changes of an owner's keys cannot deadlock.
      const rows = await database.query<{ readonly key_id: string }>(
        `with held as materialized (
           select k.key_id from keys k join accounts a using (account_id)
           where a.owner_id = $1 and k.revoked_at_ms is null and ${where}
           order by k.key_id for no key update of k
         ), changed as (
           update keys k set ${set} from held h where k.key_id = h.key_id returning ${ALERTED_COLUMNS}
         )${alerted}
         select key_id from changed`,
        parametersOf(owner, given),
      );
      return rows.map((row) => row.key_id);
    },
    async page(after, limit) {
      const text = `select ${COLUMNS}, k.sealed_secret from keys k
        where $1::text is null or k.key_id > $1 order by k.key_id limit $2`;
      return (await database.query<StoredRow>(text, [after, limit])).map(storedKey);
    },
    async findSealedWith(version, limit) {
      const text = `select ${COLUMNS}, k.sealed_secret from keys k
        where get_byte(k.sealed_secret, 0) = $1 limit $2`;
      return (await database.query<StoredRow>(text, [version, limit])).map(storedKey);
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
    async countBySealVersion() {
      const rows = await database.query<{ version: number; keys: number }>(
        `select get_byte(sealed_secret, 0) as version, count(*)::int as keys
         from keys group by 1 order by 1`,
        [],
      );
      return new Map(rows.map(({ version, keys }) => [version, keys]));
    },
  };
}

/** The columns of a key from which its alert is made. */
const ALERTED_COLUMNS = "k.key_id, k.account_id, k.label, k.created_at_ms, k.revoked_at_ms";

/** SQL that adds the alerts for the keys that `keys` selects; `by` is a parameter of the statement. */
function keyAlerts(type: "key.created" | "key.revoked", keys: string, by: string): string {
  const atMs = type === "key.created" ? "k.created_at_ms" : "k.revoked_at_ms";
  return alertsFrom(
    type,
    `select k.key_id as cause, a.owner_id, k.account_id, ${atMs} as at_ms,
      json_build_object('keyId', k.key_id, 'label', k.label, 'by', ${by}::text) as data
    from ${keys} k join accounts a using (account_id)`,
  );
}

const ALERT_CREATED = keyAlerts(
  "key.created",
  `(select ${ALERTED_COLUMNS} from keys k where k.key_id = $1)`,
  "$2",
);

const REVOKE = `
with revoked as (
  update keys k set revoked_at_ms = $2 where k.key_id = $1 and k.revoked_at_ms is null returning ${ALERTED_COLUMNS}
), alerted as (${keyAlerts("key.revoked", "revoked", "$3")})
select key_id from revoked`;

const CHANGES: Readonly<
  Record<
    KeyChange["change"],
    { readonly set: string; readonly where: string; readonly alerted: string }
  >
> = {
  pause: { set: "paused_at_ms = $2", where: "k.paused_at_ms is null", alerted: "" },
  resume: { set: "paused_at_ms = null", where: "k.paused_at_ms is not null", alerted: "" },
  revoke: {
    set: "revoked_at_ms = $2",
    where: "true",
    alerted: `, alerted as (${keyAlerts("key.revoked", "changed", "$3")})`,
  },
};

function parametersOf(owner: OwnerId, given: KeyChange): readonly unknown[] {
  switch (given.change) {
    case "resume":
      return [owner];
    case "pause":
      return [owner, given.atMs];
    case "revoke":
      return [owner, given.atMs, given.by];
  }
}

/** Keys are locked in the order of their ids, so that two concurrent nodes cannot deadlock. */
const RESEAL = `
with given as materialized (
  select * from unnest($1::text[], $2::bytea[], $3::bytea[]) as a (key_id, was, becomes)
), held as materialized (
  select k.key_id, a.becomes from keys k join given a using (key_id)
  where k.sealed_secret = a.was order by k.key_id for no key update of k
)
update keys k set sealed_secret = h.becomes from held h
where k.key_id = h.key_id returning k.key_id`;

const LIST = `select ${COLUMNS}, u.last_used_at_ms, u.last_used_from,
    u.reads, u.window_start_ms, u.cooldown_until_ms,
    (select count(*)::int from unnest(u.rejections) as r (at_ms) where r.at_ms >= $2) as rejections
  from keys k join key_usage u using (key_id)
  where k.account_id = $1
  order by k.created_at_ms desc, k.key_id`;

/**
 * The first of the two numbers that identify an advisory lock. It is arbitrary, but no other lock with two numbers uses
 * it.
 */
const KEYS_OF_ACCOUNT_LOCK = 7_720_010;

/**
 * Whether the account may have another key. The answer stays right until the transaction ends, because other inserts
 * for the account wait for a lock.
 */
async function hasRoom(
  transaction: Queryable,
  { accountId: account, createdAtMs }: StoredKey,
  activeMax: number,
): Promise<boolean> {
  // The account's row is not locked, because orders would wait for that lock.
  await transaction.query("select pg_advisory_xact_lock($1, hashtext($2))", [
    KEYS_OF_ACCOUNT_LOCK,
    account,
  ]);
  const [row] = await transaction.query<{ readonly active: number }>(
    `select count(*)::int as active from keys where account_id = $1 and revoked_at_ms is null
       and (expires_at_ms is null or expires_at_ms > $2)`,
    [account, createdAtMs],
  );
  return row !== undefined && row.active < activeMax;
}

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
    pausedAtMs: timeOrNull(row.paused_at_ms),
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
