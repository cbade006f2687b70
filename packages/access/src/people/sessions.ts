import { type Chance, type Clock, clientNetworkOf } from "@propgate/base";
import { type UnixMs, unixMs } from "@propgate/core";
import { addAlert, type Database, type PersonId, type Queryable } from "@propgate/ledger";
import { createKnownBrowserStore } from "../storage/known-browser-store.ts";
import { createKnownNetworkStore } from "../storage/known-network-store.ts";
import type { Person } from "../storage/person.ts";
import {
  type CallOrigin,
  type PersonalSession,
  SESSION_IDLE_MS,
  SESSION_LIFE_MS,
  SESSION_TOUCH_MS,
  SESSIONS_OF_PERSON_MAX,
  type Session,
} from "../storage/session.ts";
import { createSessionStore } from "../storage/session-store.ts";
import { generateToken, tokenHash } from "./token.ts";

/** A new session. Its token is shown only at this time. */
export interface NewSession extends PersonalSession {
  readonly token: string;
  /** The value of the cookie that identifies the browser from then on. */
  readonly browserToken: string;
}

/** A network in which a person has not signed in for this long counts as new. */
const NETWORK_KNOWN_MS = 90 * 86_400_000;

/** Maximum number of known browsers of one person; beyond it the least recently used one is forgotten. */
const KNOWN_BROWSERS_MAX = 20;

/** Sessions of one person that were ended before they expired. */
export interface EndedSessions {
  readonly personId: PersonId;
  includes(sessionId: string): boolean;
}

/** The sessions of people who are signed in. */
export interface Sessions {
  /** Begins a session. `transaction` must have locked the person's row. */
  begin(person: Person, from: CallOrigin, transaction: Queryable): Promise<NewSession>;
  /** The session with this token; null when there is none, when it has ended, or when the person is disabled. */
  find(token: string): Promise<PersonalSession | null>;
  /** The person's sessions that have not ended, newest first. */
  list(personId: PersonId): Promise<readonly Session[]>;
  /** Those of the given ids whose sessions have not ended and belong to a person who is not disabled. */
  filterAlive(sessionIds: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * The listener is called whenever this process ends sessions before they expire, except for the oldest sessions that
   * `begin` removes.
   */
  onEnded(listener: (ended: EndedSessions) => void): void;
  /** Ends a session. False when the person has no such session. */
  end(personId: PersonId, sessionId: string): Promise<boolean>;
  /** Records that the person has just given a password or passkey in this session. */
  confirm(sessionId: string): Promise<void>;
  endByToken(token: string): Promise<void>;
  endAll(personId: PersonId, on?: Queryable): Promise<void>;
  endOthers(personId: PersonId, kept: string, on?: Queryable): Promise<void>;
}

export function createSessions(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Chance;
}): Sessions {
  const { database, clock, chance } = options;
  const store = createSessionStore(database);
  const find = async (token: string): Promise<PersonalSession | null> => {
    const hash = tokenHash(token);
    const found = hash === null ? null : await store.findByToken(hash);
    if (found === null || found.person.disabledAtMs !== null) return null;
    const nowMs = clock.now();
    if (!isAlive(found.session, nowMs)) return null;
    if (nowMs < found.session.lastSeenAtMs + SESSION_TOUCH_MS) return found;
    await store.touch(found.session.sessionId, nowMs);
    return { ...found, session: { ...found.session, lastSeenAtMs: nowMs } };
  };
  const list = async (id: PersonId): Promise<readonly Session[]> => {
    const nowMs = clock.now();
    return (await store.listOfPerson(id)).filter((session) => isAlive(session, nowMs));
  };
  const listeners: ((ended: EndedSessions) => void)[] = [];
  const report = (ended: EndedSessions): void => {
    for (const listener of listeners) listener(ended);
  };
  const end = async (id: PersonId, sessionId: string): Promise<boolean> => {
    const isEnded = await store.remove(id, sessionId);
    if (isEnded) report({ personId: id, includes: (one) => one === sessionId });
    return isEnded;
  };
  /**
   * Ends all sessions of the person except `kept`. Listeners are called before the commit; after a rollback the pages
   * that they have disconnected reconnect by themselves.
   */
  const endOthers = async (id: PersonId, kept: string | null, on: Queryable): Promise<void> => {
    await createSessionStore(on).removeOthers(id, kept);
    report({ personId: id, includes: (one) => one !== kept });
  };
  return {
    async begin(person, from, transaction) {
      const nowMs = clock.now();
      const token = generateToken(chance);
      const browser = generateToken(chance);
      const session: Session = {
        sessionId: chance.uuid(),
        personId: person.personId,
        signedInAtMs: nowMs,
        lastSeenAtMs: nowMs,
        endsAtMs: unixMs(nowMs + SESSION_LIFE_MS),
        confirmedAtMs: nowMs,
        address: from.address,
        browser: from.browser,
      };
      const within = createSessionStore(transaction);
      await within.removeEnded(nowMs, unixMs(nowMs - SESSION_IDLE_MS));
      await within.removeOldest(person.personId, SESSIONS_OF_PERSON_MAX - 1);
      await within.insert(session, token.hash);
      await createKnownBrowserStore(transaction).put(person.personId, {
        tokenHash: browser.hash,
        replaced: from.browserToken == null ? null : tokenHash(from.browserToken),
        atMs: nowMs,
        max: KNOWN_BROWSERS_MAX,
      });
      await alertNewNetwork(person, session, transaction);
      return { session, person, token: token.text, browserToken: browser.text };
    },
    find,
    list,
    async filterAlive(sessionIds) {
      const nowMs = clock.now();
      const found = await store.findAmong(sessionIds);
      const alive = found.filter(
        ({ session, person }) => isAlive(session, nowMs) && person.disabledAtMs === null,
      );
      return new Set(alive.map(({ session }) => session.sessionId));
    },
    confirm: (sessionId) => store.confirm(sessionId, clock.now()),
    onEnded: (listener) => void listeners.push(listener),
    end,
    async endByToken(token) {
      const found = await find(token);
      if (found !== null) await end(found.person.personId, found.session.sessionId);
    },
    endAll: (id, on = database) => endOthers(id, null, on),
    endOthers: (id, kept, on = database) => endOthers(id, kept, on),
  };
}

/** Alerts the owner of a sign-in from a network that is new for the person. @rule D9.alerts */
async function alertNewNetwork(
  { personId, ownerId }: Person,
  { sessionId, signedInAtMs: atMs, address, browser }: Session,
  transaction: Queryable,
): Promise<void> {
  const seen = { network: clientNetworkOf(address), atMs, sinceMs: atMs - NETWORK_KNOWN_MS };
  if (!(await createKnownNetworkStore(transaction).recordNetwork(personId, seen))) return;
  const data = { address, browser };
  const of = { cause: sessionId, ownerId, accountId: null, atMs, data };
  await addAlert(transaction, { type: "session.opened", ...of });
}

function isAlive(session: Session, nowMs: UnixMs): boolean {
  return nowMs < idleEndMs(session);
}

/** When the session ends if no further request comes. */
export function idleEndMs({ lastSeenAtMs, endsAtMs }: Session): UnixMs {
  return unixMs(Math.min(lastSeenAtMs + SESSION_IDLE_MS, endsAtMs));
}
