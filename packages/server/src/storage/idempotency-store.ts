import { type UnixMs, unixMs } from "@propgate/core";
import type { Queryable } from "@propgate/ledger";

/** A write of the operator that its client may repeat, or one row of a bulk of writes. */
export interface WriteKey {
  /** The token or the person that sent the write. Two callers may use the same key for different writes. */
  readonly caller: string;
  readonly key: string;
  /** The row of a bulk, from 1; 0 is the call itself. */
  readonly row: number;
}

/** The request of a write. Each repetition must have the same method, target and body. */
export interface WriteRequest {
  readonly method: string;
  /** The path with its query. */
  readonly target: string;
  /** The SHA-256 of the JSON value of the body. */
  readonly bodyHash: Uint8Array;
}

/**
 * The kept answer of a write that has ended. An answer with a secret is in `sealed`, and null there once the secret is
 * forgotten. Any other answer is in `answer`.
 */
export interface KeptAnswer {
  readonly status: number;
  readonly answer: string | null;
  readonly sealed: Uint8Array | null;
  /**
   * JSON of the id that the write made, for the error `idempotency_secret_gone`; null for an answer without a secret.
   */
  readonly made: string | null;
  readonly endedAtMs: UnixMs;
}

/**
 * The result of `begin`. `begun`: this attempt carries out the write with the returned seed, which is that of the first
 * attempt. `otherRequest`: the key belongs to another request. `underWay`: another attempt is running. `ended`: the
 * write has ended with this answer.
 */
export type BegunWrite =
  | { readonly is: "begun"; readonly sealedSeed: Uint8Array; readonly isRepeat: boolean }
  | { readonly is: "otherRequest" }
  | { readonly is: "underWay" }
  | ({ readonly is: "ended" } & KeptAnswer);

/** An attempt that is to begin a write. */
export interface WriteAttempt extends WriteKey, WriteRequest {
  /** A uuid of this attempt. */
  readonly attempt: string;
  readonly sealedSeed: Uint8Array;
  readonly atMs: UnixMs;
  /** A key whose write began before this time is free for any request. */
  readonly expiredAtMs: UnixMs;
  /** The attempts of this process that have not ended. Any other running attempt counts as dead after `DEAD_AFTER`. */
  readonly running: readonly string[];
}

/** The values of one key that are sealed under the master key. */
export interface SealedWrite {
  readonly of: WriteKey;
  /** Null once the write has ended. */
  readonly seed: Uint8Array | null;
  /** Null before the write has ended, for an answer without a secret, and once the secret is forgotten. */
  readonly answer: Uint8Array | null;
}

/** The keys of repeatable writes, in the first database. @rule D12.repeatedWrites */
export interface IdempotencyStore {
  begin(write: WriteAttempt): Promise<BegunWrite>;
  /** Keeps the answer and ends the write, unless another attempt has taken over. */
  end(attempt: string, key: WriteKey, answer: KeptAnswer): Promise<void>;
  /** Opens the write again, so that the next repetition continues it immediately. */
  reopen(attempt: string, key: WriteKey): Promise<void>;
  /** Frees the key after an attempt that carried out no part of the write. */
  release(attempt: string, key: WriteKey): Promise<void>;
  /** The numbers of the rows of a bulk that have ended, whose answers are kept. */
  keptRows(key: Omit<WriteKey, "row">): Promise<ReadonlySet<number>>;
  /** Deletes keys whose writes began before `beganMs`, and the secrets of answers that ended before `secretsMs`. */
  deleteExpired(before: { readonly beganMs: UnixMs; readonly secretsMs: UnixMs }): Promise<void>;
  /** The next keys with a sealed value, in the order of the keys; from the first key on when `after` is null. */
  sealedPage(after: WriteKey | null, limit: number): Promise<readonly SealedWrite[]>;
  /** Writes the newly sealed values. Returns false, without writing, when a value has changed since it was read. */
  reseal(from: SealedWrite, to: Pick<SealedWrite, "seed" | "answer">): Promise<boolean>;
}

/**
 * A running attempt of another process counts as dead after this time. It is real time also in the sandbox, so the
 * database's clock measures it.
 */
const DEAD_AFTER = "30 seconds";

/**
 * Inserts a key, or takes over the key's row when the row is free. A row is free when its write is open, when its
 * attempt counts as dead, or when it has expired. In the first two cases the row keeps its seed, and only the same
 * request may take it over. The attempt of a bulk lives as long as an attempt of its rows. Without a row in the result,
 * the key is not free.
 */
const BEGIN = `
insert into idempotency_keys as k
  (caller, key, row_number, method, target, body_hash, attempt, sealed_seed, began_at_ms)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
on conflict (caller, key, row_number) do update set
  method = excluded.method, target = excluded.target, body_hash = excluded.body_hash,
  attempt = excluded.attempt, state = 'running', running_since = clock_timestamp(),
  sealed_seed = case when k.began_at_ms < $10 then excluded.sealed_seed else k.sealed_seed end,
  began_at_ms = case when k.began_at_ms < $10 then excluded.began_at_ms else k.began_at_ms end,
  status = null, answer = null, sealed_answer = null, made = null, ended_at_ms = null
where k.began_at_ms < $10 or (
  (k.method, k.target, k.body_hash) = (excluded.method, excluded.target, excluded.body_hash)
  and (k.state = 'open' or (k.state = 'running' and k.attempt <> all ($11)
    and k.running_since < clock_timestamp() - interval '${DEAD_AFTER}'
    and not (k.row_number = 0 and exists (select from idempotency_keys r
      where r.caller = k.caller and r.key = k.key and r.row_number > 0 and r.state = 'running'
        and r.running_since >= clock_timestamp() - interval '${DEAD_AFTER}')))))
returning sealed_seed`;

const OF_KEY = "caller = $1 and key = $2 and row_number = $3";
const OWN = `${OF_KEY} and attempt = $4 and state = 'running'`;

const FOUND = `
select method, target, body_hash, state, status, answer, sealed_answer, made, ended_at_ms
from idempotency_keys where ${OF_KEY}`;

interface FoundRow {
  readonly method: string;
  readonly target: string;
  readonly body_hash: Uint8Array;
  readonly state: "running" | "open" | "ended";
  readonly status: number | null;
  readonly answer: string | null;
  readonly sealed_answer: Uint8Array | null;
  readonly made: string | null;
  readonly ended_at_ms: string | null;
}

export function createIdempotencyStore(database: Queryable): IdempotencyStore {
  const keyed = ({ caller, key, row }: WriteKey) => [caller, key, row];
  return {
    // One statement inserts the key or takes over its free row, so only one attempt acts. When the key is not free, a
    // second statement finds its row. @rule D12.repeatedWrites decides
    async begin(write) {
      const { method, target, bodyHash, attempt, sealedSeed } = write;
      const wanted = [method, target, bodyHash];
      for (;;) {
        const [begun] = await database.query<{ readonly sealed_seed: Uint8Array }>(BEGIN, [
          ...[...keyed(write), ...wanted, attempt, sealedSeed],
          ...[write.atMs, write.expiredAtMs, write.running],
        ]);
        if (begun !== undefined) {
          const isRepeat = !isSame(begun.sealed_seed, sealedSeed);
          return { is: "begun", sealedSeed: begun.sealed_seed, isRepeat };
        }
        const [found] = await database.query<FoundRow>(FOUND, keyed(write));
        // Without a row, the other attempt has just released the key, so the loop tries again.
        if (found !== undefined) return foundWrite(found, write);
      }
    },
    async end(attempt, key, { status, answer, sealed, made, endedAtMs }) {
      await database.query(
        `update idempotency_keys set state = 'ended', sealed_seed = null, status = $5, answer = $6,
           sealed_answer = $7, made = $8, ended_at_ms = $9 where ${OWN}`,
        [...keyed(key), attempt, status, answer, sealed, made, endedAtMs],
      );
    },
    async reopen(attempt, key) {
      const text = `update idempotency_keys set state = 'open' where ${OWN}`;
      await database.query(text, [...keyed(key), attempt]);
    },
    async release(attempt, key) {
      await database.query(`delete from idempotency_keys where ${OWN}`, [...keyed(key), attempt]);
    },
    async keptRows({ caller, key }) {
      const rows = await database.query<{ readonly row_number: number }>(
        `select row_number from idempotency_keys
         where caller = $1 and key = $2 and row_number > 0 and state = 'ended'`,
        [caller, key],
      );
      return new Set(rows.map((row) => row.row_number));
    },
    async deleteExpired({ beganMs, secretsMs }) {
      await database.query("delete from idempotency_keys where began_at_ms < $1", [beganMs]);
      await database.query(
        "update idempotency_keys set sealed_answer = null where sealed_answer is not null and ended_at_ms < $1",
        [secretsMs],
      );
    },
    async sealedPage(after, limit) {
      const { caller, key, row } = after ?? { caller: "", key: "", row: 0 };
      const rows = await database.query<SealedRow>(
        `select caller, key, row_number, sealed_seed, sealed_answer from idempotency_keys
         where (caller, key, row_number) > ($1, $2, $3)
           and (sealed_seed is not null or sealed_answer is not null)
         order by caller, key, row_number limit $4`,
        [caller, key, row, limit],
      );
      return rows.map((found) => ({
        of: { caller: found.caller, key: found.key, row: found.row_number },
        seed: found.sealed_seed,
        answer: found.sealed_answer,
      }));
    },
    async reseal({ of, seed, answer }, to) {
      const rows = await database.query(
        `update idempotency_keys set sealed_seed = $6::bytea, sealed_answer = $7::bytea
         where ${OF_KEY} and sealed_seed is not distinct from $4::bytea
           and sealed_answer is not distinct from $5::bytea
         returning key`,
        [...keyed(of), seed, answer, to.seed, to.answer],
      );
      return rows.length > 0;
    },
  };
}

interface SealedRow {
  readonly caller: string;
  readonly key: string;
  readonly row_number: number;
  readonly sealed_seed: Uint8Array | null;
  readonly sealed_answer: Uint8Array | null;
}

function foundWrite(found: FoundRow, wanted: WriteRequest): BegunWrite {
  if (!isSameWrite(requestOf(found), wanted)) return { is: "otherRequest" };
  return found.state === "ended" ? { is: "ended", ...keptOf(found) } : { is: "underWay" };
}

function isSameWrite(one: WriteRequest, other: WriteRequest): boolean {
  const isOneTarget = one.method === other.method && one.target === other.target;
  return isOneTarget && isSame(one.bodyHash, other.bodyHash);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one).equals(other);
}

function requestOf({ method, target, body_hash }: FoundRow): WriteRequest {
  return { method, target, bodyHash: body_hash };
}

function keptOf({ status, answer, sealed_answer, made, ended_at_ms }: FoundRow): KeptAnswer {
  return {
    status: status ?? 0,
    answer,
    sealed: sealed_answer,
    made,
    endedAtMs: unixMs(Number(ended_at_ms ?? 0)),
  };
}
