import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Chance } from "../random.ts";
import type { Database } from "../storage/database.ts";
import { type AuditLog, createAuditLog } from "./audit-log.ts";
import { createFailureLimits } from "./failure-limits.ts";
import { createOneTimeLinks, type OneTimeLinks } from "./one-time-links.ts";
import { createPasskeys, type Passkeys } from "./passkeys.ts";
import { createPasswords, type PasswordWork } from "./password.ts";
import { createRoster, type Roster } from "./roster.ts";
import { createSessions, type Sessions } from "./sessions.ts";
import { createPasswordDesk, type PasswordDesk } from "./sign-in.ts";

/** Everything about those who sign in. */
export interface PeopleDesk {
  readonly roster: Roster;
  readonly sessions: Sessions;
  readonly passwords: PasswordDesk;
  readonly passkeys: Passkeys;
  readonly links: OneTimeLinks;
  readonly audit: AuditLog;
}

export function createPeopleDesk(need: {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** What the check of a password costs; as much as it should unless given. */
  readonly passwordWork?: PasswordWork;
}): PeopleDesk {
  const passwords = createPasswords({
    chance: need.chance,
    ...(need.passwordWork === undefined ? {} : { work: need.passwordWork }),
  });
  const sessions = createSessions(need);
  const limits = createFailureLimits(need);
  return {
    roster: createRoster({ ...need, sessions }),
    sessions,
    passwords: createPasswordDesk({ ...need, passwords, limits, sessions }),
    passkeys: createPasskeys({ ...need, limits, sessions }),
    links: createOneTimeLinks({ ...need, passwords, sessions }),
    audit: createAuditLog(need),
  };
}
