import type { UnixMs } from "@propgate/core";
import type { PersonId } from "@propgate/ledger";
import type { Person } from "./person.ts";

/** A session ends after this long without a request. */
export const SESSION_IDLE_MS = 12 * 3_600_000;
/** A session ends after this long even when it is used. */
export const SESSION_LIFE_MS = 7 * 86_400_000;
/** `lastSeenAtMs` is stored again only when it is this old, so that most requests write nothing. */
export const SESSION_TOUCH_MS = 60_000;

/**
 * Maximum number of sessions of one person, far above the number of browsers. Beyond it a new session ends the oldest
 * one.
 */
export const SESSIONS_OF_PERSON_MAX = 100;

/** The session of a person who is signed in, in one browser. */
export interface Session {
  readonly sessionId: string;
  readonly personId: PersonId;
  readonly signedInAtMs: UnixMs;
  readonly lastSeenAtMs: UnixMs;
  readonly endsAtMs: UnixMs;
  /** When the person last gave a password or passkey in this session. */
  readonly confirmedAtMs: UnixMs;
  readonly address: string;
  /** The user agent of the browser; empty when it sent none. */
  readonly browser: string;
}

/** For this long, a password or passkey that the person gave in a session confirms further calls of the session. */
export const CONFIRMATION_LIFE_MS = 5 * 60_000;

/** Whether the person gave a password or passkey recently enough in this session. */
export function isConfirmed({ confirmedAtMs }: Session, nowMs: UnixMs): boolean {
  return nowMs < confirmedAtMs + CONFIRMATION_LIFE_MS;
}

/** A session and the person who is signed in with it. */
export interface PersonalSession {
  readonly session: Session;
  readonly person: Person;
}

/**
 * Where a call of the pages comes from: the client's address, and its browser with the cookie of an earlier sign-in.
 */
export interface CallOrigin {
  readonly address: string;
  readonly browser: string;
  /** The cookie by which the browser is known from an earlier sign-in; null or absent when it sent none. */
  readonly browserToken?: string | null;
}
