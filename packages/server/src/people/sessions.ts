import { type UnixMs, unixMs } from "@propgate/core";
import type { Clock } from "../clock.ts";
import type { Chance } from "../random.ts";
import type { Database, Queryable } from "../storage/database.ts";
import { sessionStore } from "../storage/stores/people/session-store.ts";
import type { Person, PersonId } from "./person.ts";
import {
  type CallOrigin,
  type PersonalSession,
  SESSION_IDLE_MS,
  SESSION_LIFE_MS,
  SESSION_TOUCH_MS,
  type Session,
} from "./session.ts";
import { newToken, tokenHash } from "./token.ts";

/** A session that has just begun; the token is told this once. */
export interface NewSession extends PersonalSession {
  readonly token: string;
}

export interface Sessions {
  /** `on`: a transaction that it is part of. */
  begin(person: Person, from: CallOrigin, on?: Queryable): Promise<NewSession>;
  /** Whose token this is, as long as the session lives and the person may sign in. */
  find(token: string): Promise<PersonalSession | null>;
  /** Those that live, the newest first. */
  list(personId: PersonId): Promise<readonly Session[]>;
  /** Whether this one still lives. */
  isAlive(personId: PersonId, sessionId: string): Promise<boolean>;
  /** False: the person has no such session. */
  end(personId: PersonId, sessionId: string): Promise<boolean>;
  endByToken(token: string): Promise<void>;
  endAll(personId: PersonId, on?: Queryable): Promise<void>;
  endOthers(personId: PersonId, kept: string, on?: Queryable): Promise<void>;
}

export function createSessions(need: {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Chance;
}): Sessions {
  const { database, clock, chance } = need;
  const store = sessionStore(database);
  const find = async (token: string): Promise<PersonalSession | null> => {
    const hash = tokenHash(token);
    const found = hash === null ? null : await store.byToken(hash);
    if (found === null || found.person.disabledAtMs !== null) return null;
    const nowMs = clock.now();
    if (!isWithin(found.session, nowMs)) return null;
    if (nowMs < found.session.lastSeenAtMs + SESSION_TOUCH_MS) return found;
    await store.touch(found.session.sessionId, nowMs);
    return { ...found, session: { ...found.session, lastSeenAtMs: nowMs } };
  };
  const list = async (id: PersonId): Promise<readonly Session[]> => {
    const nowMs = clock.now();
    return (await store.ofPerson(id)).filter((session) => isWithin(session, nowMs));
  };
  return {
    async begin(person, from, on = database) {
      const nowMs = clock.now();
      const token = newToken(chance);
      const session: Session = {
        sessionId: chance.uuid(),
        personId: person.personId,
        signedInAtMs: nowMs,
        lastSeenAtMs: nowMs,
        endsAtMs: unixMs(nowMs + SESSION_LIFE_MS),
        ...from,
      };
      const within = sessionStore(on);
      await within.removeEnded(nowMs, unixMs(nowMs - SESSION_IDLE_MS));
      await within.insert(session, token.hash);
      return { session, person, token: token.text };
    },
    find,
    list,
    isAlive: async (id, sessionId) =>
      (await list(id)).some((session) => session.sessionId === sessionId),
    end: (id, sessionId) => store.remove(id, sessionId),
    async endByToken(token) {
      const found = await find(token);
      if (found !== null) await store.remove(found.person.personId, found.session.sessionId);
    },
    endAll: (id, on = database) => sessionStore(on).removeOthers(id, null),
    endOthers: (id, kept, on = database) => sessionStore(on).removeOthers(id, kept),
  };
}

function isWithin(session: Session, nowMs: UnixMs): boolean {
  return nowMs < idleEnd(session);
}

/** When the session is over unless something is asked for before. */
export function idleEnd({ lastSeenAtMs, endsAtMs }: Session): UnixMs {
  return unixMs(Math.min(lastSeenAtMs + SESSION_IDLE_MS, endsAtMs));
}
