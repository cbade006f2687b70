import type { UnixMs } from "@propgate/core";
import type { Person, PersonId } from "./person.ts";

/** A session of which nothing has been heard for so long is over. */
export const SESSION_IDLE_MS = 12 * 3_600_000;
/** And every session after this, whatever happens. */
export const SESSION_LIFE_MS = 7 * 86_400_000;
/** How far behind `lastSeenAtMs` may be: a write for every request would be one too many. */
export const SESSION_TOUCH_MS = 60_000;

/** More than anybody has browsers: of a person who signs in again and again the oldest sessions end. */
export const SESSIONS_OF_PERSON_MAX = 100;

/** Where somebody is signed in. */
export interface Session {
  readonly sessionId: string;
  readonly personId: PersonId;
  readonly signedInAtMs: UnixMs;
  readonly lastSeenAtMs: UnixMs;
  readonly endsAtMs: UnixMs;
  /** When the person last gave a password or passkey in it; null: before this was kept. */
  readonly confirmedAtMs: UnixMs | null;
  readonly address: string;
  /** What the browser calls itself; empty when it said nothing. */
  readonly browser: string;
}

/** For so long after a password or passkey was given the calls are open that ask for one. */
export const CONFIRMATION_LIFE_MS = 5 * 60_000;

export function isConfirmed({ confirmedAtMs }: Session, nowMs: UnixMs): boolean {
  return confirmedAtMs !== null && nowMs < confirmedAtMs + CONFIRMATION_LIFE_MS;
}

export interface PersonalSession {
  readonly session: Session;
  readonly person: Person;
}

/** Where a call comes from. */
export interface CallOrigin {
  readonly address: string;
  readonly browser: string;
  /** The cookie by which the browser is known from an earlier sign-in; null: it sent none. */
  readonly browserToken?: string | null;
}
