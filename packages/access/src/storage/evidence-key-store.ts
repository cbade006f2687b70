import { type UnixMs, unixMs } from "@propgate/core";
import type { Database } from "@propgate/ledger";

/** The public half of a key with which the installation signs evidence. */
export interface PublishedEvidenceKey {
  readonly keyId: string;
  /** The Ed25519 public key, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly fromMs: UnixMs;
  /** When the key was replaced; null while it is in use. */
  readonly untilMs: UnixMs | null;
}

/** A key to sign evidence with. Its private half is encrypted. */
export interface NewEvidenceKey {
  readonly keyId: string;
  readonly publicKey: Uint8Array;
  readonly sealedPrivate: Uint8Array;
  readonly fromMs: UnixMs;
}

/** Stores the keys of the installation that sign evidence. */
export interface EvidenceKeyStore {
  /** The public halves of all keys, newest first. */
  list(): Promise<readonly PublishedEvidenceKey[]>;
  /** The key in use, with its encrypted private half; null before the first key was added. */
  findInUse(): Promise<NewEvidenceKey | null>;
  /** Adds the first key; does nothing when a key is in use. */
  addFirst(key: NewEvidenceKey): Promise<void>;
  /**
   * Puts a new key in use, and deletes the private half of the previous key. Does nothing when a key with this id is
   * stored.
   */
  replace(key: NewEvidenceKey): Promise<void>;
}

interface KeyRow {
  readonly key_id: string;
  readonly public_key: Uint8Array;
  readonly sealed_private: Uint8Array | null;
  readonly from_ms: string;
  readonly until_ms: string | null;
}

/** The number of the advisory lock for these keys. */
const EVIDENCE_KEY_LOCK = 7_720_031;

const COLUMNS = "key_id, public_key, sealed_private, from_ms, until_ms";

export function createEvidenceKeyStore(database: Database): EvidenceKeyStore {
  const add = (key: NewEvidenceKey, replaces: boolean): Promise<void> =>
    database.transaction(async (transaction) => {
      await transaction.query(`select pg_advisory_xact_lock(${EVIDENCE_KEY_LOCK})`, []);
      if (replaces) {
        await transaction.query(
          `update evidence_keys set until_ms = greatest(from_ms, $1::bigint), sealed_private = null
           where until_ms is null and not exists (select from evidence_keys where key_id = $2)`,
          [key.fromMs, key.keyId],
        );
      }
      await transaction.query(
        `insert into evidence_keys (number, key_id, public_key, sealed_private, from_ms)
         select coalesce(max(number), 0) + 1, $1, $2, $3, $4::bigint from evidence_keys
         having count(*) filter (where until_ms is null) = 0`,
        [key.keyId, key.publicKey, key.sealedPrivate, key.fromMs],
      );
    });
  return {
    async list() {
      const text = `select ${COLUMNS} from evidence_keys order by number desc`;
      return (await database.query<KeyRow>(text, [])).map((row) => ({
        keyId: row.key_id,
        publicKey: row.public_key,
        fromMs: unixMs(Number(row.from_ms)),
        untilMs: row.until_ms === null ? null : unixMs(Number(row.until_ms)),
      }));
    },
    async findInUse() {
      const text = `select ${COLUMNS} from evidence_keys where until_ms is null`;
      const [row] = await database.query<KeyRow>(text, []);
      if (row === undefined || row.sealed_private === null) return null;
      return {
        keyId: row.key_id,
        publicKey: row.public_key,
        sealedPrivate: row.sealed_private,
        fromMs: unixMs(Number(row.from_ms)),
      };
    },
    addFirst: (key) => add(key, false),
    replace: (key) => add(key, true),
  };
}
