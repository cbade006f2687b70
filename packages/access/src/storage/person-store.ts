import type { Role } from "@propgate/contract";
import { type OwnerId, ownerId, type UnixMs, unixMs } from "@propgate/core";
import {
  type ExternalId,
  externalId,
  isUniqueViolation,
  type PersonId,
  personId,
  type Queryable,
} from "@propgate/ledger";
import type { Person } from "./person.ts";

/** A person with the stored hash of the password. The hash is null before the first password was set. */
export interface KnownPerson {
  readonly person: Person;
  readonly password: string | null;
}

/** Stores the people who sign in. */
export interface PersonStore {
  /**
   * Stores a new person. False, without an insert, when another person has that name or external id. Durable when the
   * call resolves, unless it is in a transaction.
   */
  insert(person: Person, nameKey: string): Promise<boolean>;
  readByExternalId(externalId: ExternalId): Promise<KnownPerson | null>;
  /**
   * Gives a person the external id; does nothing when the person already has one. False when another person has this
   * id.
   */
  setExternalId(personId: PersonId, externalId: ExternalId): Promise<boolean>;
  /** The person whose name has this `nameKey`; null when there is none. */
  readByName(nameKey: string): Promise<KnownPerson | null>;
  readById(personId: PersonId): Promise<KnownPerson | null>;
  /** All people, sorted by name. */
  list(): Promise<readonly Person[]>;
  isEmpty(): Promise<boolean>;
  /** Whether there is a person who sees the accounts of this owner. */
  hasOwner(owner: OwnerId): Promise<boolean>;
  /**
   * Locks the person's row, so that concurrent changes of the person wait until the transaction ends. False when the
   * person is disabled or unknown. To be called in a transaction.
   */
  lockEnabled(personId: PersonId): Promise<boolean>;
  /**
   * Locks the person's row as `lockEnabled` does. False when the stored password hash is not this one, or the person is
   * disabled. To be called in a transaction.
   */
  lockIfPassword(personId: PersonId, password: string): Promise<boolean>;
  setPassword(personId: PersonId, password: string): Promise<void>;
  /** Sets a new password hash. False, without a change, when the stored one is not `from` or the person is disabled. */
  replacePassword(
    personId: PersonId,
    hashes: { readonly from: string; readonly to: string },
  ): Promise<boolean>;
  /** Disables the person since `atMs`; null enables the person. */
  setDisabled(personId: PersonId, atMs: UnixMs | null): Promise<void>;
}

/** The row of a person, as a query of `PERSON_COLUMNS` returns it. */
export interface PersonRow {
  readonly person_id: string;
  readonly name: string;
  readonly role: Role;
  readonly owner_id: string | null;
  readonly external_id: string | null;
  readonly created_at_ms: string;
  readonly disabled_at_ms: string | null;
}

interface KnownRow extends PersonRow {
  readonly password: string | null;
}

/** The columns of a `PersonRow`, for queries in which `p` is the table of people. */
export const PERSON_COLUMNS =
  "p.person_id, p.name, p.role, p.owner_id, p.external_id, p.created_at_ms, p.disabled_at_ms";

export function createPersonStore(database: Queryable): PersonStore {
  const one = async (text: string, parameter: string): Promise<KnownPerson | null> => {
    const [row] = await database.query<KnownRow>(text, [parameter]);
    return row === undefined ? null : { person: personOf(row), password: row.password };
  };
  return {
    async insert(person, nameKey) {
      const rows = await database.query(
        `insert into people (person_id, name, name_key, role, owner_id, created_at_ms, disabled_at_ms, external_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning person_id`,
        [
          person.personId,
          person.name,
          nameKey,
          person.role,
          person.ownerId,
          person.createdAtMs,
          person.disabledAtMs,
          person.externalId,
        ],
      );
      return rows.length === 1;
    },
    readByName: (nameKey) =>
      one(`select ${PERSON_COLUMNS}, p.password from people p where p.name_key = $1`, nameKey),
    readByExternalId: (id) =>
      one(`select ${PERSON_COLUMNS}, p.password from people p where p.external_id = $1`, id),
    async setExternalId(id, given) {
      const text = `update people set external_id = $2 where person_id = $1 and external_id is null`;
      try {
        await database.query(text, [id, given]);
        return true;
      } catch (cause) {
        if (isUniqueViolation(cause)) return false;
        throw cause;
      }
    },
    readById: (id) =>
      one(`select ${PERSON_COLUMNS}, p.password from people p where p.person_id = $1`, id),
    async list() {
      const text = `select ${PERSON_COLUMNS} from people p order by p.name_key`;
      return (await database.query<PersonRow>(text, [])).map(personOf);
    },
    async isEmpty() {
      return (await database.query("select 1 from people limit 1", [])).length === 0;
    },
    async hasOwner(owner) {
      const text = "select 1 from people where owner_id = $1 limit 1";
      return (await database.query(text, [owner])).length === 1;
    },
    async lockEnabled(id) {
      const text = `select 1 from people
        where person_id = $1 and disabled_at_ms is null for no key update`;
      return (await database.query(text, [id])).length === 1;
    },
    async lockIfPassword(id, password) {
      const text = `select 1 from people
        where person_id = $1 and password = $2 and disabled_at_ms is null for no key update`;
      return (await database.query(text, [id, password])).length === 1;
    },
    async setPassword(id, password) {
      await database.query("update people set password = $2 where person_id = $1", [id, password]);
    },
    async replacePassword(id, { from, to }) {
      const text = `update people set password = $3
        where person_id = $1 and password = $2 and disabled_at_ms is null returning person_id`;
      return (await database.query(text, [id, from, to])).length === 1;
    },
    async setDisabled(id, atMs) {
      await database.query("update people set disabled_at_ms = $2 where person_id = $1", [
        id,
        atMs,
      ]);
    },
  };
}

/** Makes a person from a row with the columns `PERSON_COLUMNS`. */
export function personOf(row: PersonRow): Person {
  return {
    personId: personId(row.person_id),
    name: row.name,
    role: row.role,
    ownerId: row.owner_id === null ? null : ownerId(row.owner_id),
    externalId: row.external_id === null ? null : externalId(row.external_id),
    createdAtMs: unixMs(Number(row.created_at_ms)),
    disabledAtMs: row.disabled_at_ms === null ? null : unixMs(Number(row.disabled_at_ms)),
  };
}
