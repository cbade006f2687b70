import type { Database } from "../storage/database.ts";
import { personStore } from "../storage/stores/people/person-store.ts";
import type { FailureLimits } from "./failure-limits.ts";
import type { Passwords } from "./password.ts";
import { nameKey, type Person } from "./person.ts";
import type { CallOrigin } from "./session.ts";
import type { NewSession, Sessions } from "./sessions.ts";

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
  /** Ends the person's other sessions. `wrong`: that is not the current password. */
  change(
    session: { readonly person: Person; readonly sessionId: string; readonly address: string },
    passwords: { readonly current: string; readonly next: string },
  ): Promise<"done" | SignInRefused>;
}

interface PasswordNeeds {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly limits: FailureLimits;
  readonly sessions: Sessions;
}

export function createPasswordDesk(need: PasswordNeeds): PasswordDesk {
  const { database, passwords, limits, sessions } = need;
  const store = personStore(database);
  const busy = async (name: string, address: string): Promise<SignInRefused> => {
    await limits.takeBack(name, address);
    return { refused: "busy" };
  };
  return {
    async signIn({ name, password }, from) {
      const attempt = await limits.begin(name, from.address);
      if (!attempt.ok) return { refused: "wait", waitMs: attempt.waitMs };
      const known = await store.byName(nameKey(name));
      const stored = known?.password ?? null;
      const matches = await passwords.matches(stored, password);
      if (matches === null) return busy(name, from.address);
      if (!matches || known === null || stored === null || known.person.disabledAtMs !== null) {
        return { refused: "wrong", person: known?.person ?? null };
      }
      await limits.succeeded(name, from.address);
      const begun = await database.transaction(async (transaction) =>
        // A change of the password that came in between has ended the sessions of the one before.
        (await personStore(transaction).holdPassword(known.person.personId, stored))
          ? sessions.begin(known.person, from, transaction)
          : null,
      );
      if (begun === null) return { refused: "wrong", person: known.person };
      if (passwords.isOutdated(stored)) await renew(need, known.person, password);
      return begun;
    },
    async change({ person, sessionId, address }, { current, next }) {
      // A stolen session must not be a way to guess the password.
      const attempt = await limits.begin(person.name, address);
      if (!attempt.ok) return { refused: "wait", waitMs: attempt.waitMs };
      const known = await store.byId(person.personId);
      const matches = await passwords.matches(known?.password ?? null, current);
      if (matches === null) return busy(person.name, address);
      if (!matches) return { refused: "wrong", person };
      await limits.succeeded(person.name, address);
      const hashed = await passwords.hash(next);
      if (hashed === null) return { refused: "busy" };
      await database.transaction(async (transaction) => {
        await personStore(transaction).setPassword(person.personId, hashed);
        await sessions.endOthers(person.personId, sessionId, transaction);
      });
      return "done";
    },
  };
}

/** The password is known just now, so it can be kept as today's work asks for. */
async function renew(need: PasswordNeeds, person: Person, password: string): Promise<void> {
  const hashed = await need.passwords.hash(password);
  if (hashed !== null) await personStore(need.database).setPassword(person.personId, hashed);
}
