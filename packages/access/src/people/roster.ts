import type { Chance, Clock, RepeatableCall } from "@propgate/base";
import type { Role } from "@propgate/contract";
import type { OwnerId } from "@propgate/core";
import { type Database, type ExternalId, type PersonId, personId } from "@propgate/ledger";
import { createKnownBrowserStore } from "../storage/known-browser-store.ts";
import { createLinkStore } from "../storage/link-store.ts";
import { nameKey, type Person } from "../storage/person.ts";
import { createPersonStore } from "../storage/person-store.ts";
import type { Sessions } from "./sessions.ts";

/** The data with which a person is added. */
export interface NewPerson {
  readonly name: string;
  readonly role: Role;
  /** The owner whose accounts the person sees; null for an operator. */
  readonly ownerId: OwnerId | null;
  /** The firm's own id of the person; null or absent for none. */
  readonly externalId?: ExternalId | null;
}

/** The people who may sign in. Every change is durable when its method resolves. */
export interface Roster {
  /**
   * Adds a person. Null when the name or the external id is taken. A repetition of the same call returns the person
   * that the first call added.
   */
  add(person: NewPerson, act?: RepeatableCall | null): Promise<Person | null>;
  /**
   * Gives a person the external id; does nothing when the person already has one. False when another person has this
   * id.
   */
  assignExternalId(personId: PersonId, externalId: ExternalId): Promise<boolean>;
  findByExternalId(externalId: ExternalId): Promise<Person | null>;
  /** All people, sorted by name. */
  list(): Promise<readonly Person[]>;
  isEmpty(): Promise<boolean>;
  /** Whether there is a person who sees the accounts of this owner. */
  hasOwner(owner: OwnerId): Promise<boolean>;
  find(personId: PersonId): Promise<Person | null>;
  findByName(name: string): Promise<Person | null>;
  /**
   * Disables a person: ends every session, and removes a pending link and known browsers. Null when no person has that
   * id.
   */
  disable(personId: PersonId): Promise<Person | null>;
  /** Enables a person again, and ends every session of the person. Null when no person has that id. */
  enable(personId: PersonId): Promise<Person | null>;
}

export function createRoster(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly sessions: Sessions;
}): Roster {
  const { database, clock, chance, sessions } = options;
  const store = createPersonStore(database);
  const find = async (id: PersonId): Promise<Person | null> =>
    (await store.readById(id))?.person ?? null;
  return {
    async add({ name, role, ownerId, externalId = null }, act = null) {
      const person: Person = {
        personId: personId((act?.chance("person") ?? chance).uuid()),
        name,
        role,
        ownerId,
        externalId,
        createdAtMs: clock.now(),
        disabledAtMs: null,
      };
      if (await store.insert(person, nameKey(name))) return person;
      return act?.isRepeat === true ? find(person.personId) : null;
    },
    assignExternalId: (id, externalId) => store.setExternalId(id, externalId),
    findByExternalId: async (externalId) =>
      (await store.readByExternalId(externalId))?.person ?? null,
    list: () => store.list(),
    isEmpty: () => store.isEmpty(),
    hasOwner: (owner) => store.hasOwner(owner),
    find,
    findByName: async (name) => (await store.readByName(nameKey(name)))?.person ?? null,
    disable: (id) =>
      database.transaction(async (transaction) => {
        const within = createPersonStore(transaction);
        const before = (await within.readById(id))?.person ?? null;
        if (before === null) return null;
        if (before.disabledAtMs === null) await within.setDisabled(id, clock.now());
        await createLinkStore(transaction).remove(id);
        await createKnownBrowserStore(transaction).removeAll(id);
        await sessions.endAll(id, transaction);
        return (await within.readById(id))?.person ?? null;
      }),
    enable: (id) =>
      database.transaction(async (transaction) => {
        const within = createPersonStore(transaction);
        await within.setDisabled(id, null);
        // A session that began while the person was being disabled must not become valid.
        await sessions.endAll(id, transaction);
        return (await within.readById(id))?.person ?? null;
      }),
  };
}
