/*
 * What the pages and the service say to each other. It is no part of the public API: page and
 * service come from one release, so these shapes carry no promise to anybody else. Every answer has
 * the envelope of the API, every call but the sign-in's needs the session's cookie, and every call
 * that changes something an `Origin` of the service itself. @rule S1.noBrowser
 */

/** Where the calls of the pages begin, on the listener of the public API. */
export const DASHBOARD_PREFIX = "/dashboard/v1";

/** An owner sees his own accounts, an operator every account and the console. */
export type Role = "owner" | "operator";

export interface PersonView {
  readonly personId: string;
  /** What is typed to sign in. */
  readonly name: string;
  readonly role: Role;
  /** Whose accounts an owner sees; null for an operator. */
  readonly ownerId: string | null;
}

/** `GET session`, and what every way of signing in answers. */
export interface SessionView {
  readonly person: PersonView;
  readonly sessionId: string;
  readonly signedInAtMs: number;
  /** Unless something is asked for before. */
  readonly idleEndsAtMs: number;
  /** Whatever happens. */
  readonly endsAtMs: number;
  /** Of the service, for the snippets: the header names' brand word, and the address of the API. */
  readonly brand: string;
  readonly networkName: string;
  readonly baseUrl: string;
}

/** `POST sign-in` */
export interface SignInRequest {
  readonly name: string;
  readonly password: string;
}

/** `POST link`: what a one-time link is good for; using it takes `POST link/use`. */
export interface LinkRequest {
  readonly token: string;
}

export interface LinkView {
  readonly name: string;
  readonly role: Role;
  readonly expiresAtMs: number;
}

/** `POST link/use`: sets the password, ends every session of the person and begins one here. */
export interface UseLinkRequest extends LinkRequest {
  readonly password: string;
}

/** `POST password` */
export interface ChangePasswordRequest {
  readonly current: string;
  readonly next: string;
}

/** At least this many characters, and any characters there are. */
export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 256;

/** Item of `GET sessions`: where somebody is signed in. */
export interface SessionLine {
  readonly sessionId: string;
  /** The one that asks. */
  readonly current: boolean;
  readonly signedInAtMs: number;
  readonly lastSeenAtMs: number;
  readonly address: string;
  /** What the browser calls itself; empty when it said nothing. */
  readonly browser: string;
}

/** Item of `GET passkeys`. */
export interface PasskeyLine {
  readonly passkeyId: string;
  readonly label: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

/** `POST passkeys`; what the browser made of the answer of `POST passkeys/options`, as its JSON. */
export interface AddPasskeyRequest {
  readonly label: string;
  readonly response: unknown;
}

/** `POST sign-in/passkey`; what the browser made of the answer of `POST sign-in/passkey/options`. */
export interface PasskeySignInRequest {
  readonly response: unknown;
}

/** A person's name has 1 to this many characters, and is the same whatever its case. */
export const PERSON_NAME_LENGTH_MAX = 64;
