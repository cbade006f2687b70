import type { Chance, Clock, RepeatableCall } from "@propgate/base";
import { type UnixMs, unixMs } from "@propgate/core";
import type { Database } from "@propgate/ledger";
import { createKnownBrowserStore } from "../storage/known-browser-store.ts";
import { createLinkStore, type StoredLink } from "../storage/link-store.ts";
import { createPasskeyStore } from "../storage/passkey-store.ts";
import type { Person } from "../storage/person.ts";
import { createPersonStore } from "../storage/person-store.ts";
import type { CallOrigin } from "../storage/session.ts";
import type { Passwords } from "./passwords/password.ts";
import type { NewSession, Sessions } from "./sessions.ts";
import { generateToken, tokenHash } from "./token.ts";

const LINK_LIFE_MS = 86_400_000;

/** The address of a link. The token is in the fragment, which browsers do not send, so no server logs it. */
export function linkUrl(address: string, token: string): string {
  return `${address}/link#${token}`;
}

/** Links with which a person sets the first or a new password. Each works once. */
export interface OneTimeLinks {
  /** Makes a link, which replaces the person's previous one. */
  make(
    person: Person,
    act?: RepeatableCall | null,
  ): Promise<{ readonly token: string; readonly expiresAtMs: UnixMs }>;
  /**
   * The link with this token. Null when it was used, has expired, was replaced or never existed, or the person is
   * disabled.
   */
  find(token: string): Promise<StoredLink | null>;
  /**
   * Sets the password, ends every session of the person, removes known browsers and, unless `keepPasskeys` is set,
   * passkeys, and begins a session. Null as for `find`; `busy` when too many passwords are being hashed.
   */
  use(given: UsedLink, from: CallOrigin): Promise<NewSession | "busy" | null>;
}

/** The token of a link, and the password that the person sets with it. */
export interface UsedLink {
  readonly token: string;
  readonly password: string;
  /** True when the person keeps the passkeys. Otherwise they are removed, because a thief may have added some. */
  readonly keepPasskeys?: boolean;
}

export function createOneTimeLinks(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
}): OneTimeLinks {
  const { database, clock, passwords, sessions } = options;
  const find = async (hash: Uint8Array | null): Promise<StoredLink | null> => {
    const link = hash === null ? null : await createLinkStore(database).find(hash);
    if (link === null || link.expiresAtMs <= clock.now()) return null;
    return link.person.disabledAtMs === null ? link : null;
  };
  return {
    async make(person, act = null) {
      const token = generateToken(act?.chance("link") ?? options.chance);
      const expiresAtMs = unixMs(clock.now() + LINK_LIFE_MS);
      await createLinkStore(database).put(person.personId, { tokenHash: token.hash, expiresAtMs });
      return { token: token.text, expiresAtMs };
    },
    find: (token) => find(tokenHash(token)),
    async use({ token, password, keepPasskeys = false }, from) {
      const hash = tokenHash(token);
      const link = await find(hash);
      // Checked before the expensive hash, which clients without a valid link must not cause.
      if (hash === null || link === null) return null;
      const hashed = await passwords.hash(password);
      if (hashed === null) return "busy";
      return database.transaction(async (transaction) => {
        const { person } = link;
        // Locks the person first, in the same order as `disable` does, so that the two cannot deadlock.
        if (!(await createPersonStore(transaction).lockEnabled(person.personId))) return null;
        if (!(await createLinkStore(transaction).deleteByToken(hash))) return null;
        await createPersonStore(transaction).setPassword(person.personId, hashed);
        if (!keepPasskeys) await createPasskeyStore(transaction).removeAll(person.personId);
        await createKnownBrowserStore(transaction).removeAll(person.personId);
        await sessions.endAll(person.personId, transaction);
        return sessions.begin(person, from, transaction);
      });
    },
  };
}
