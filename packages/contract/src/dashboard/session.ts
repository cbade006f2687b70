/*
 * The calls between the pages and the service. They are not part of the public API: page and service come from one
 * release, so these shapes may change at any time. Every answer has the envelope of the API. Every call except the
 * sign-in needs the session's cookie, and every call that changes something needs the service's own `Origin`.
 * @rule S1.noBrowser
 */

/** The path prefix of the pages' calls, on the listener of the public API. */
export const DASHBOARD_PREFIX = "/dashboard/v1";

/** An owner sees their own accounts, an operator every account and the console. */
export type Role = "owner" | "operator";

/** The person who is signed in. */
export interface PersonView {
  readonly personId: string;
  /** The name that the person types to sign in. */
  readonly name: string;
  readonly role: Role;
  /** The owner whose accounts the person sees; null for an operator. */
  readonly ownerId: string | null;
}

/** `GET session`, and the answer to every way of signing in. */
export interface SessionView {
  readonly person: PersonView;
  readonly sessionId: string;
  readonly signedInAtMs: number;
  /** When the session ends if the person makes no request before. */
  readonly idleEndsAtMs: number;
  /** When the session ends in any case. */
  readonly endsAtMs: number;
  /** The brand word in the names of the authentication headers, for the code snippets. */
  readonly brand: string;
  readonly networkName: string;
  readonly baseUrl: string;
}

/** The body of `POST sign-in`. */
export interface SignInRequest {
  readonly name: string;
  readonly password: string;
}

/** The body of `POST link`, which shows the purpose of a one-time link. `POST link/use` uses the link. */
export interface LinkRequest {
  readonly token: string;
}

/** The answer to `POST link`: the person of the one-time link, and the passkeys and keys that its use may end. */
export interface LinkView {
  readonly name: string;
  readonly role: Role;
  readonly expiresAtMs: number;
  /** How many passkeys the person has. */
  readonly passkeys: number;
  /** Active API keys of the owner's accounts; null for an operator, who has no accounts. */
  readonly activeKeys: number | null;
}

/** `POST link/use`: sets the password, ends every session of the person and begins one here. */
export interface UseLinkRequest extends LinkRequest {
  readonly password: string;
  /** True keeps the passkeys. The default is false, because a thief may have added one. */
  readonly keepPasskeys?: boolean;
  /** True revokes every API key of the owner's accounts. The default is false. */
  readonly revokeKeys?: boolean;
}

/** The body of `POST confirm`. */
export interface ConfirmRequest {
  readonly password: string;
}

/** The answer to a confirmation. */
export interface ConfirmationView {
  readonly confirmedUntilMs: number;
}

/** The body of `POST password`. */
export interface ChangePasswordRequest {
  readonly current: string;
  readonly next: string;
}

/** Minimum length of a password, in characters. Any characters are allowed. */
export const PASSWORD_LENGTH_MIN = 12;
/** Maximum length of a password, in characters. */
export const PASSWORD_LENGTH_MAX = 256;

/** Item of `GET sessions`: a browser in which the person is signed in. */
export interface SessionLine {
  readonly sessionId: string;
  /** True for the session of this request. */
  readonly current: boolean;
  readonly signedInAtMs: number;
  readonly lastSeenAtMs: number;
  readonly address: string;
  /** The browser's `User-Agent`; empty when it sent none. */
  readonly browser: string;
}

/** Item of `GET passkeys`: a passkey of the person. */
export interface PasskeyLine {
  readonly passkeyId: string;
  readonly label: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

/** The maximum length of a person's name. Two names must differ in more than their case. */
export const PERSON_NAME_LENGTH_MAX = 64;
