import type { Database } from "../../storage/databases/database.ts";
import { nameKey, type Person } from "../../storage/rows/person.ts";
import type { CallOrigin, PersonalSession } from "../../storage/rows/session.ts";
import { createPersonStore } from "../../storage/stores/people/person-store.ts";
import type { BegunAttempt, FailureLimits } from "./limits/failure-limits.ts";
import type { Passwords } from "./passwords/password.ts";
import type { NewSession, Sessions } from "./sessions.ts";
import { tokenHash } from "./token.ts";

/** Why somebody was not let in; `person` is who it was tried as, where there is such a person. */
export type SignInRefused =
  | { readonly refused: "wrong"; readonly person: Person | null }
  | { readonly refused: "wait"; readonly waitMs: number }
  | { readonly refused: "busy" };

export type SignInResult = NewSession | SignInRefused;

export interface PasswordDesk {
  /** One answer for a wrong password, a name that nobody has, and somebody who is disabled. */
  signIn(
    given: { readonly name: string; readonly password: string },
    from: CallOrigin,
  ): Promise<SignInResult>;
  /** Confirms the session. `wrong`: that is not the person's password. */
  confirm(signedIn: PersonalSession, given: GivenPassword): Promise<"done" | SignInRefused>;
  /** Ends the person's other sessions. `wrong`: that is not the current password. */
  change(
    signedIn: PersonalSession,
    given: GivenPassword & { readonly next: string },
  ): Promise<"done" | SignInRefused>;
}

/** What somebody who is signed in types as the current password, and where from. */
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
      if (!attempt.ok) return notBegun(attempt);
      const known = await store.byName(nameKey(name));
      const stored = known?.password ?? null;
      const matches = await passwords.matches(stored, password);
      if (matches === null) return busy(attempt);
      if (!matches || known === null || stored === null || known.person.disabledAtMs !== null) {
        return { refused: "wrong", person: known?.person ?? null };
      }
      await attempt.succeeded();
      const begun = await database.transaction(async (transaction) =>
        // A change of the password that came in between has ended the sessions of the one before.
        (await createPersonStore(transaction).holdPassword(known.person.personId, stored))
          ? sessions.begin(known.person, from, transaction)
          : null,
      );
      if (begun === null) return { refused: "wrong", person: known.person };
      if (passwords.isOutdated(stored)) await renew(options, known.person, password);
      return begun;
    },
    async confirm({ person, session }, given) {
      const checked = await checkOwn(options, person, given);
      if (checked === "done") await sessions.confirm(session.sessionId);
      return checked;
    },
    async change({ person, session }, { next, ...given }) {
      const checked = await checkOwn(options, person, given);
      if (checked !== "done") return checked;
      const hashed = await passwords.hash(next);
      if (hashed === null) return { refused: "busy" };
      await database.transaction(async (transaction) => {
        await createPersonStore(transaction).setPassword(person.personId, hashed);
        await sessions.endOthers(person.personId, session.sessionId, transaction);
      });
      return "done";
    },
  };
}

/** A stolen session must not be a way to guess the password. */
async function checkOwn(
  { database, passwords, limits }: PasswordOptions,
  person: Person,
  { password, address }: GivenPassword,
): Promise<"done" | SignInRefused> {
  const { personId } = person;
  const attempt = await limits.begin({ by: "person", personId }, address);
  if (!attempt.ok) return notBegun(attempt);
  const known = await createPersonStore(database).byId(personId);
  const matches = await passwords.matches(known?.password ?? null, password);
  if (matches === null) return busy(attempt);
  if (!matches) return { refused: "wrong", person };
  await attempt.succeeded();
  return "done";
}

export function notBegun({ waitMs }: { readonly waitMs: number | null }): SignInRefused {
  return waitMs === null ? { refused: "busy" } : { refused: "wait", waitMs };
}

async function busy(attempt: BegunAttempt): Promise<SignInRefused> {
  await attempt.takeBack();
  return { refused: "busy" };
}

/** The password is known just now, so it can be kept as today's work asks for. */
async function renew(options: PasswordOptions, person: Person, password: string): Promise<void> {
  const hashed = await options.passwords.hash(password);
  if (hashed !== null)
    await createPersonStore(options.database).setPassword(person.personId, hashed);
}
