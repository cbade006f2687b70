import type { Database } from "@propgate/ledger";
import { nameKey, type Person } from "../storage/person.ts";
import { createPersonStore } from "../storage/person-store.ts";
import type { CallOrigin, PersonalSession } from "../storage/session.ts";
import type { FailureLimits, StartedAttempt } from "./limits/failure-limits.ts";
import type { Passwords } from "./passwords/password.ts";
import type { NewSession, Sessions } from "./sessions.ts";
import { tokenHash } from "./token.ts";

/**
 * Why a sign-in was refused. `wrong` has the person who was named or whose passkey was used, if there is one. `wait`
 * has the wait in milliseconds, and `busy` means that too many sign-ins are being checked.
 */
export type SignInRefusal =
  | { readonly refused: "wrong"; readonly person: Person | null }
  | { readonly refused: "wait"; readonly waitMs: number }
  | { readonly refused: "busy" };

/** A new session, or why the sign-in was refused. */
export type SignInResult = NewSession | SignInRefusal;

/** Signs people in with passwords, confirms their sessions and changes their passwords. */
export interface PasswordDesk {
  /**
   * Signs in with a name and a password. A wrong password, an unknown name and a disabled person are all refused as
   * `wrong`, after the same work.
   */
  signIn(
    given: { readonly name: string; readonly password: string },
    from: CallOrigin,
  ): Promise<SignInResult>;
  /** Confirms the session with the person's password; `wrong` when the given password is not right. */
  confirm(signedIn: PersonalSession, given: GivenPassword): Promise<"done" | SignInRefusal>;
  /** Sets a new password and ends the person's other sessions; `wrong` when the current password is wrong. */
  change(
    signedIn: PersonalSession,
    given: GivenPassword & { readonly next: string },
  ): Promise<"done" | SignInRefusal>;
}

/** The current password as a signed-in person typed it, and the client's address. */
export interface GivenPassword {
  readonly password: string;
  readonly address: string;
}

interface PasswordOptions {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly limits: FailureLimits;
  readonly sessions: Sessions;
}

export function createPasswordDesk(options: PasswordOptions): PasswordDesk {
  const { database, passwords, limits, sessions } = options;
  const store = createPersonStore(database);
  return {
    async signIn({ name, password }, from) {
      const browser = from.browserToken == null ? null : tokenHash(from.browserToken);
      const attempt = await limits.begin({ by: "name", name, browser }, from.address);
      if (!attempt.ok) return attemptRefusal(attempt);
      const known = await store.readByName(nameKey(name));
      const stored = known?.password ?? null;
      const matches = await passwords.matches(stored, password);
      if (matches === null) return refuseBusy(attempt);
      if (!matches || known === null || stored === null || known.person.disabledAtMs !== null) {
        return { refused: "wrong", person: known?.person ?? null };
      }
      const begun = await database.transaction(async (transaction) =>
        // The password may have been changed since it was checked. That change ended all sessions, so none may begin
        // with the old password.
        (await createPersonStore(transaction).lockIfPassword(known.person.personId, stored))
          ? sessions.begin(known.person, from, transaction)
          : null,
      );
      if (begun === null) return { refused: "wrong", person: known.person };
      await attempt.recordSuccess();
      if (passwords.isOutdated(stored))
        await rehashPassword(options, known.person, { stored, password });
      return begun;
    },
    async confirm({ person, session }, given) {
      const checked = await checkOwnPassword(options, person, given);
      if (typeof checked === "object") return checked;
      await sessions.confirm(session.sessionId);
      return "done";
    },
    async change({ person, session }, { next, ...given }) {
      const checked = await checkOwnPassword(options, person, given);
      if (typeof checked === "object") return checked;
      const hashed = await passwords.hash(next);
      if (hashed === null) return { refused: "busy" };
      return database.transaction(async (transaction) => {
        const { personId } = person;
        // A one-time link may have set another password since the check, to lock out the caller, who may be a thief.
        const change = { from: checked, to: hashed };
        const isSet = await createPersonStore(transaction).replacePassword(personId, change);
        if (!isSet) return { refused: "wrong", person };
        await sessions.endOthers(personId, session.sessionId, transaction);
        return "done";
      });
    },
  };
}

/**
 * Checks the password of a signed-in person, and returns its stored hash. Failures are limited as for a sign-in, so
 * that a stolen session is no way to guess the password.
 */
async function checkOwnPassword(
  { database, passwords, limits }: PasswordOptions,
  person: Person,
  { password, address }: GivenPassword,
): Promise<string | SignInRefusal> {
  const { personId } = person;
  const attempt = await limits.begin({ by: "person", personId }, address);
  if (!attempt.ok) return attemptRefusal(attempt);
  const stored = (await createPersonStore(database).readById(personId))?.password ?? null;
  const matches = await passwords.matches(stored, password);
  if (matches === null) return refuseBusy(attempt);
  if (!matches || stored === null) return { refused: "wrong", person };
  await attempt.recordSuccess();
  return stored;
}

/** The refusal of a sign-in or confirmation whose attempt the failure limits did not begin. */
export function attemptRefusal({ waitMs }: { readonly waitMs: number | null }): SignInRefusal {
  return waitMs === null ? { refused: "busy" } : { refused: "wait", waitMs };
}

async function refuseBusy(attempt: StartedAttempt): Promise<SignInRefusal> {
  await attempt.uncount();
  return { refused: "busy" };
}

/** Hashes the password again at the present cost, which is only possible while its text is known. */
async function rehashPassword(
  { database, passwords }: PasswordOptions,
  { personId }: Person,
  { stored, password }: { readonly stored: string; readonly password: string },
): Promise<void> {
  const hashed = await passwords.hash(password);
  const people = createPersonStore(database);
  if (hashed !== null) await people.replacePassword(personId, { from: stored, to: hashed });
}
