import type { UnixMs } from "@propgate/core";
import type { PersonId } from "@propgate/ledger";
import type { Person } from "./person.ts";

/** A session ends after this long without a request. */
export const SESSION_IDLE_MS = 12 * 3_600_000;
/** Every session ends after this long. */
export const SESSION_LIFE_MS = 7 * 86_400_000;
/** Precision of `lastSeenAtMs`, so that most requests write nothing. */
export const SESSION_TOUCH_MS = 60_000;

/** Far above the number of a person's browsers. Beyond it, a new session ends the person's oldest one. */
export const SESSIONS_OF_PERSON_MAX = 100;

/** A browser in which a person is signed in. */
export interface Session {
  readonly sessionId: string;
  readonly personId: PersonId;
  readonly signedInAtMs: UnixMs;
  readonly lastSeenAtMs: UnixMs;
  readonly endsAtMs: UnixMs;
  /** When the person last gave a password or passkey in it. */
  readonly confirmedAtMs: UnixMs;
  readonly address: string;
  /** The browser's user agent; empty when there is none. */
  readonly browser: string;
}

/** How long a password or passkey confirms further calls. */
export const CONFIRMATION_LIFE_MS = 5 * 60_000;

export function isConfirmed({ confirmedAtMs }: Session, nowMs: UnixMs): boolean {
  return nowMs < confirmedAtMs + CONFIRMATION_LIFE_MS;
}

export interface PersonalSession {
  readonly session: Session;
  readonly person: Person;
}

/** The origin of a call. */
export interface CallOrigin {
  readonly address: string;
  readonly browser: string;
  /** The cookie that identifies the browser since an earlier sign-in; null when there is none. */
  readonly browserToken?: string | null;
}
