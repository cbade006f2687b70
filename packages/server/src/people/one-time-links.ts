import { type UnixMs, unixMs } from "@propgate/core";
import type { Clock } from "../clock.ts";
import type { Chance } from "../random.ts";
import type { Database } from "../storage/database.ts";
import { linkStore, type StoredLink } from "../storage/stores/people/link-store.ts";
import { personStore } from "../storage/stores/people/person-store.ts";
import type { Passwords } from "./password.ts";
import type { Person } from "./person.ts";
import type { CallOrigin } from "./session.ts";
import type { NewSession, Sessions } from "./sessions.ts";
import { newToken, tokenHash } from "./token.ts";

export const LINK_LIFE_MS = 86_400_000;

/** In the fragment, which a browser keeps to itself: no server's log ever has it. */
export function linkUrl(address: string, token: string): string {
  return `${address}/link#${token}`;
}

/** How somebody gets a password, the first or another: by a link that works once. */
export interface OneTimeLinks {
  /** The one before no longer works. */
  make(person: Person): Promise<{ readonly token: string; readonly expiresAtMs: UnixMs }>;
  /** Null: it was used, has expired, was replaced, never was, or the person is disabled. */
  look(token: string): Promise<StoredLink | null>;
  /** Sets the password, ends every session of the person and begins one. Null as above. */
  use(
    given: { readonly token: string; readonly password: string },
    from: CallOrigin,
  ): Promise<NewSession | "busy" | null>;
}

export function createOneTimeLinks(need: {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
}): OneTimeLinks {
  const { database, clock, passwords, sessions } = need;
  const find = async (hash: Uint8Array | null): Promise<StoredLink | null> => {
    const link = hash === null ? null : await linkStore(database).find(hash);
    if (link === null || link.expiresAtMs <= clock.now()) return null;
    return link.person.disabledAtMs === null ? link : null;
  };
  return {
    async make(person) {
      const token = newToken(need.chance);
      const expiresAtMs = unixMs(clock.now() + LINK_LIFE_MS);
      await linkStore(database).put(person.personId, { tokenHash: token.hash, expiresAtMs });
      return { token: token.text, expiresAtMs };
    },
    look: (token) => find(tokenHash(token)),
    async use({ token, password }, from) {
      const hash = tokenHash(token);
      const link = await find(hash);
      // Before the work, which strangers must not be able to ask for.
      if (hash === null || link === null) return null;
      const hashed = await passwords.hash(password);
      if (hashed === null) return "busy";
      return database.transaction(async (transaction) => {
        if (!(await linkStore(transaction).take(hash))) return null;
        const { person } = link;
        await personStore(transaction).setPassword(person.personId, hashed);
        await sessions.endAll(person.personId, transaction);
        return sessions.begin(person, from, transaction);
      });
    },
  };
}
