import { type UnixMs, unixMs } from "@propgate/core";
import { type PersonId, personId, type Queryable } from "@propgate/ledger";
import { PERSON_COLUMNS, type PersonRow, personOf } from "./person-store.ts";
import type { PersonalSession, Session } from "./session.ts";

/** Stores sessions by the hash of their token. */
export interface SessionStore {
  insert(session: Session, tokenHash: Uint8Array): Promise<void>;
  /**
   * The session with this token and its person; null when there is none. An expired session is found too: the caller
   * checks its times.
   */
  findByToken(tokenHash: Uint8Array): Promise<PersonalSession | null>;
  /** The person's sessions, newest first, including expired ones. */
  listOfPerson(personId: PersonId): Promise<readonly Session[]>;
  /** The sessions among these that are stored, including expired ones, each with its person. */
  findAmong(sessionIds: readonly string[]): Promise<readonly PersonalSession[]>;
  /** Records the time of a request in the session. */
  touch(sessionId: string, atMs: UnixMs): Promise<void>;
  /** Records that the person gave a password or passkey in the session. */
  confirm(sessionId: string, atMs: UnixMs): Promise<void>;
  /** Removes a session. False when the person has no such session. */
  remove(personId: PersonId, sessionId: string): Promise<boolean>;
  /** Removes the person's sessions except `kept`; all when that is null. */
  removeOthers(personId: PersonId, kept: string | null): Promise<void>;
  /** Removes all but the newest `kept` sessions of the person. */
  removeOldest(personId: PersonId, kept: number): Promise<void>;
  /** Removes sessions whose end has come, and those without a request since `idleSinceMs`. */
  removeEnded(nowMs: UnixMs, idleSinceMs: UnixMs): Promise<void>;
}

interface SessionRow {
  readonly session_id: string;
  readonly session_person_id: string;
  readonly signed_in_at_ms: string;
  readonly last_seen_at_ms: string;
  readonly ends_at_ms: string;
  readonly confirmed_at_ms: string;
  readonly address: string;
  readonly browser: string;
}

const COLUMNS = `s.session_id, s.person_id as session_person_id, s.signed_in_at_ms,
  s.last_seen_at_ms, s.ends_at_ms, s.confirmed_at_ms, s.address, s.browser`;

const UUID = /^[0-9a-f-]{36}$/;

export function createSessionStore(database: Queryable): SessionStore {
  return {
    async insert(session, tokenHash) {
      await database.query(
        `insert into sessions (session_id, token_hash, person_id, signed_in_at_ms,
           last_seen_at_ms, ends_at_ms, confirmed_at_ms, address, browser)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          session.sessionId,
          tokenHash,
          session.personId,
          session.signedInAtMs,
          session.lastSeenAtMs,
          session.endsAtMs,
          session.confirmedAtMs,
          session.address,
          session.browser,
        ],
      );
    },
    async findByToken(tokenHash) {
      const [row] = await database.query<SessionRow & PersonRow>(
        `select ${COLUMNS}, ${PERSON_COLUMNS}
         from sessions s join people p using (person_id) where s.token_hash = $1`,
        [tokenHash],
      );
      return row === undefined ? null : { session: sessionOf(row), person: personOf(row) };
    },
    async listOfPerson(id) {
      const text = `select ${COLUMNS} from sessions s where s.person_id = $1
        order by s.signed_in_at_ms desc, s.session_id`;
      return (await database.query<SessionRow>(text, [id])).map(sessionOf);
    },
    async findAmong(sessionIds) {
      const rows = await database.query<SessionRow & PersonRow>(
        `select ${COLUMNS}, ${PERSON_COLUMNS}
         from sessions s join people p using (person_id) where s.session_id = any ($1::uuid[])`,
        [sessionIds],
      );
      return rows.map((row) => ({ session: sessionOf(row), person: personOf(row) }));
    },
    async touch(sessionId, atMs) {
      await database.query(
        "update sessions set last_seen_at_ms = greatest(last_seen_at_ms, $2) where session_id = $1",
        [sessionId, atMs],
      );
    },
    async confirm(sessionId, atMs) {
      await database.query("update sessions set confirmed_at_ms = $2 where session_id = $1", [
        sessionId,
        atMs,
      ]);
    },
    async remove(id, sessionId) {
      // The ids are compared as text, and texts of another form are rejected first.
      if (!UUID.test(sessionId)) return false;
      const rows = await database.query(
        `delete from sessions where person_id = $1 and session_id::text = $2 returning session_id`,
        [id, sessionId],
      );
      return rows.length > 0;
    },
    async removeOthers(id, kept) {
      await database.query(
        "delete from sessions where person_id = $1 and session_id::text is distinct from $2",
        [id, kept],
      );
    },
    async removeOldest(id, kept) {
      await database.query(
        `delete from sessions where session_id in (
           select session_id from sessions where person_id = $1
           order by signed_in_at_ms desc, session_id offset $2)`,
        [id, kept],
      );
    },
    async removeEnded(nowMs, idleSinceMs) {
      // Locked rows are skipped; a later call removes them.
      await database.query(
        `delete from sessions where session_id in (
           select session_id from sessions where ends_at_ms <= $1 or last_seen_at_ms <= $2
           for update skip locked)`,
        [nowMs, idleSinceMs],
      );
    },
  };
}

function sessionOf(row: SessionRow): Session {
  return {
    sessionId: row.session_id,
    personId: personId(row.session_person_id),
    signedInAtMs: unixMs(Number(row.signed_in_at_ms)),
    lastSeenAtMs: unixMs(Number(row.last_seen_at_ms)),
    endsAtMs: unixMs(Number(row.ends_at_ms)),
    confirmedAtMs: unixMs(Number(row.confirmed_at_ms)),
    address: row.address,
    browser: row.browser,
  };
}
