import type { Chance, Clock, Log, MasterKeys } from "@propgate/base";
import { type Database, limitStatements } from "@propgate/ledger";
import { type AuditLog, createAuditLog } from "./audit-log.ts";
import { createFailureLimits } from "./limits/failure-limits.ts";
import { createOneTimeLinks, type OneTimeLinks } from "./one-time-links.ts";
import { createPasskeyChallenges } from "./passkeys/passkey-challenges.ts";
import { createPasskeys, type Passkeys } from "./passkeys/passkeys.ts";
import { createPasswords, type PasswordCost } from "./passwords/password.ts";
import { createRoster, type Roster } from "./roster.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createPasswordDesk, type PasswordDesk } from "./sign-in.ts";

/** The maximum number of connections for sign-ins, sessions and people; the others are left to orders. */
const CONNECTIONS_MAX = 2;

/** Everything about the people who sign in: who they are, how they sign in, and the audit of what they did. */
export interface PeopleDesk {
  readonly roster: Roster;
  readonly sessions: Sessions;
  readonly passwords: PasswordDesk;
  readonly passkeys: Passkeys;
  readonly links: OneTimeLinks;
  readonly audit: AuditLog;
}

export function createPeopleDesk(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** Passkey challenges are sealed under a key that is derived from these. */
  readonly masterKeys: MasterKeys;
  /** The cost of a password check; `PASSWORD_COST` when absent. */
  readonly passwordCost?: PasswordCost;
}): PeopleDesk {
  const passwords = createPasswords({
    chance: options.chance,
    ...(options.passwordCost === undefined ? {} : { cost: options.passwordCost }),
  });
  const narrow = { ...options, database: limitStatements(options.database, CONNECTIONS_MAX) };
  const sessions = createSessions(narrow);
  const limits = createFailureLimits(narrow);
  const challenges = createPasskeyChallenges(options);
  return {
    roster: createRoster({ ...narrow, sessions }),
    sessions,
    passwords: createPasswordDesk({ ...narrow, passwords, limits, sessions }),
    passkeys: createPasskeys({ ...narrow, limits, sessions, challenges }),
    links: createOneTimeLinks({ ...narrow, passwords, sessions }),
    audit: createAuditLog(options),
  };
}
