import { type UnixMs, unixMs } from "@propgate/core";
import { type PersonId, personId, type Queryable } from "@propgate/ledger";
import type { Passkey } from "./passkey.ts";

/** Stores the passkeys of people, and the challenges that were answered. */
export interface PasskeyStore {
  /**
   * Stores a passkey; false when it is stored already. Durable when the call resolves, unless it is in a transaction.
   */
  insert(passkey: Passkey): Promise<boolean>;
  find(passkeyId: string): Promise<Passkey | null>;
  /** The person's passkeys, oldest first. */
  listOfPerson(personId: PersonId): Promise<readonly Passkey[]>;
  /**
   * Records a signature of the passkey. False when `counter` is not above the stored one, because the passkey may have
   * been copied. A 0 after a 0 is accepted, because an authenticator that does not count always sends 0.
   */
  recordUse(
    passkeyId: string,
    now: { readonly counter: number; readonly atMs: UnixMs },
  ): Promise<boolean>;
  remove(personId: PersonId, passkeyId: string): Promise<boolean>;
  removeAll(personId: PersonId): Promise<void>;
  /** Records that a challenge was answered; false when it was answered before. Also removes expired challenges. */
  recordAnswer(
    challenge: { readonly hash: Uint8Array; readonly expiresAtMs: UnixMs },
    atMs: UnixMs,
  ): Promise<boolean>;
}

interface PasskeyRow {
  readonly passkey_id: string;
  readonly person_id: string;
  readonly label: string;
  readonly public_key: Uint8Array;
  readonly counter: string;
  readonly transports: readonly string[];
  readonly created_at_ms: string;
  readonly last_used_at_ms: string | null;
}

const COLUMNS = `passkey_id, person_id, label, public_key, counter, transports, created_at_ms,
  last_used_at_ms`;

export function createPasskeyStore(database: Queryable): PasskeyStore {
  return {
    async insert(passkey) {
      const rows = await database.query(
        `insert into passkeys (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict do nothing returning passkey_id`,
        [
          passkey.passkeyId,
          passkey.personId,
          passkey.label,
          passkey.publicKey,
          passkey.counter,
          passkey.transports,
          passkey.createdAtMs,
          passkey.lastUsedAtMs,
        ],
      );
      return rows.length === 1;
    },
    async find(passkeyId) {
      const text = `select ${COLUMNS} from passkeys where passkey_id = $1`;
      const [row] = await database.query<PasskeyRow>(text, [passkeyId]);
      return row === undefined ? null : passkeyOf(row);
    },
    async listOfPerson(id) {
      const text = `select ${COLUMNS} from passkeys where person_id = $1
        order by created_at_ms, passkey_id`;
      return (await database.query<PasskeyRow>(text, [id])).map(passkeyOf);
    },
    async recordUse(passkeyId, { counter, atMs }) {
      const rows = await database.query(
        `update passkeys set counter = $2, last_used_at_ms = $3 where passkey_id = $1
           and (counter < $2 or (counter = 0 and $2 = 0)) returning passkey_id`,
        [passkeyId, counter, atMs],
      );
      return rows.length === 1;
    },
    async remove(id, passkeyId) {
      const text = `delete from passkeys where person_id = $1 and passkey_id = $2
        returning passkey_id`;
      return (await database.query(text, [id, passkeyId])).length === 1;
    },
    async removeAll(id) {
      await database.query("delete from passkeys where person_id = $1", [id]);
    },
    async recordAnswer({ hash, expiresAtMs }, atMs) {
      await database.query("delete from answered_questions where expires_at_ms <= $1", [atMs]);
      const rows = await database.query(
        `insert into answered_questions (question_hash, expires_at_ms) values ($1, $2)
         on conflict do nothing returning question_hash`,
        [hash, expiresAtMs],
      );
      return rows.length === 1;
    },
  };
}

function passkeyOf(row: PasskeyRow): Passkey {
  return {
    passkeyId: row.passkey_id,
    personId: personId(row.person_id),
    label: row.label,
    publicKey: row.public_key,
    counter: Number(row.counter),
    transports: row.transports,
    createdAtMs: unixMs(Number(row.created_at_ms)),
    lastUsedAtMs: row.last_used_at_ms === null ? null : unixMs(Number(row.last_used_at_ms)),
  };
}
