import { type UnixMs, unixMs } from "@propgate/core";
import type { Queryable } from "@propgate/ledger";

/** A named token of the operator's interface, without its secret. */
export interface OperatorToken {
  readonly name: string;
  /**
   * The name of the person who created this token, or `operator token` and the name of the token with which it was
   * created.
   */
  readonly createdBy: string;
  readonly createdAtMs: UnixMs;
  readonly expiresAtMs: UnixMs;
  /** When this token was revoked; null when it was not. */
  readonly revokedAtMs: UnixMs | null;
  /** The time of the last use, to the minute; null when it was never used. */
  readonly lastUsedAtMs: UnixMs | null;
  readonly lastUsedFrom: string | null;
}

/** A named token as it is stored, with the SHA-256 of its secret. */
export interface StoredOperatorToken extends OperatorToken {
  /**
   * Tokens with the same key space may repeat the writes of one another. The key space is the name of this token, or
   * the key space of the token that this one succeeds.
   */
  readonly keySpace: string;
  readonly tokenHash: Uint8Array;
}

/** Stores the named operator tokens. */
export interface OperatorTokenStore {
  /** Makes changes of tokens wait for one another. To be called first in a transaction. */
  lock(): Promise<void>;
  /** Stores a new token. False when a token has, or had, that name. */
  insert(token: StoredOperatorToken): Promise<boolean>;
  /** The token with that name, also a revoked or expired one; null when no token ever had the name. */
  find(name: string): Promise<StoredOperatorToken | null>;
  /** The tokens that are neither revoked nor expired at `now`. */
  listActive(now: UnixMs): Promise<readonly StoredOperatorToken[]>;
  /** All tokens sorted by name, including expired and revoked ones. */
  list(): Promise<readonly OperatorToken[]>;
  /** Revokes a token. False when no token has the name, or it is already revoked. */
  revoke(name: string, atMs: UnixMs): Promise<boolean>;
  /** Stores the time and address of a use, unless a newer one is stored. */
  recordUse(name: string, use: { readonly atMs: UnixMs; readonly from: string }): Promise<void>;
}

interface TokenRow {
  readonly name: string;
  readonly token_hash: Uint8Array;
  readonly key_space: string;
  readonly created_by: string;
  readonly created_at_ms: string;
  readonly expires_at_ms: string;
  readonly revoked_at_ms: string | null;
  readonly last_used_at_ms: string | null;
  readonly last_used_from: string | null;
}

/** The number of the advisory lock for operator tokens. It is arbitrary, but no other lock uses it. */
const OPERATOR_TOKEN_LOCK = 7_720_012;

const COLUMNS = `name, token_hash, key_space, created_by, created_at_ms, expires_at_ms, revoked_at_ms,
  last_used_at_ms, last_used_from`;

export function createOperatorTokenStore(database: Queryable): OperatorTokenStore {
  return {
    async lock() {
      await database.query(`select pg_advisory_xact_lock(${OPERATOR_TOKEN_LOCK})`, []);
    },
    async insert(token) {
      const text = `insert into operator_tokens
          (name, token_hash, key_space, created_by, created_at_ms, expires_at_ms)
        values ($1, $2, $3, $4, $5, $6) on conflict (name) do nothing returning name`;
      const values = [
        token.name,
        token.tokenHash,
        token.keySpace,
        token.createdBy,
        token.createdAtMs,
        token.expiresAtMs,
      ];
      return (await database.query(text, values)).length > 0;
    },
    async listActive(now) {
      const text = `select ${COLUMNS} from operator_tokens
        where revoked_at_ms is null and expires_at_ms > $1`;
      return (await database.query<TokenRow>(text, [now])).map(storedTokenOf);
    },
    async find(name) {
      const text = `select ${COLUMNS} from operator_tokens where name = $1`;
      const [row] = await database.query<TokenRow>(text, [name]);
      return row === undefined ? null : storedTokenOf(row);
    },
    async list() {
      const text = `select ${COLUMNS} from operator_tokens order by name`;
      return (await database.query<TokenRow>(text, [])).map(tokenOf);
    },
    async revoke(name, atMs) {
      const text = `update operator_tokens set revoked_at_ms = $2
        where name = $1 and revoked_at_ms is null returning name`;
      return (await database.query(text, [name, atMs])).length > 0;
    },
    async recordUse(name, { atMs, from }) {
      await database.query(
        `update operator_tokens set last_used_at_ms = $2, last_used_from = $3
         where name = $1 and coalesce(last_used_at_ms, 0) < $2`,
        [name, atMs, from],
      );
    },
  };
}

function storedTokenOf(row: TokenRow): StoredOperatorToken {
  return { ...tokenOf(row), tokenHash: row.token_hash, keySpace: row.key_space };
}

function tokenOf(row: TokenRow): OperatorToken {
  return {
    name: row.name,
    createdBy: row.created_by,
    createdAtMs: unixMs(Number(row.created_at_ms)),
    expiresAtMs: unixMs(Number(row.expires_at_ms)),
    revokedAtMs: toUnixMs(row.revoked_at_ms),
    lastUsedAtMs: toUnixMs(row.last_used_at_ms),
    lastUsedFrom: row.last_used_from,
  };
}

function toUnixMs(text: string | null): UnixMs | null {
  return text === null ? null : unixMs(Number(text));
}
