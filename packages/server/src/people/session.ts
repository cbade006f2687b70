import type { UnixMs } from "@propgate/core";
import type { Person, PersonId } from "./person.ts";

/** A session of which nothing has been heard for so long is over. */
export const SESSION_IDLE_MS = 12 * 3_600_000;
/** And every session after this, whatever happens. */
export const SESSION_LIFE_MS = 7 * 86_400_000;
/** How far behind `lastSeenAtMs` may be: a write for every request would be one too many. */
export const SESSION_TOUCH_MS = 60_000;

/** Where somebody is signed in. */
export interface Session {
  readonly sessionId: string;
  readonly personId: PersonId;
  readonly signedInAtMs: UnixMs;
  readonly lastSeenAtMs: UnixMs;
  readonly endsAtMs: UnixMs;
  readonly address: string;
  /** What the browser calls itself; empty when it said nothing. */
  readonly browser: string;
}

export interface PersonalSession {
  readonly session: Session;
  readonly person: Person;
}

/** Where a call comes from. */
export interface CallOrigin {
  readonly address: string;
  readonly browser: string;
}
