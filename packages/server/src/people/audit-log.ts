import type { AuditPage } from "@propgate/contract";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Database } from "../storage/database.ts";
import {
  type AuditQuery,
  auditStore,
  type NewAuditLine,
} from "../storage/stores/people/audit-store.ts";

/** Who did what, newest first; only ever added to. */
export interface AuditLog {
  /**
   * Durable when it resolves. It never rejects: what was done is done, so a line that cannot be
   * written is an error of the log, with everything that the line would have said. Texts that came
   * from outside are cut to a length, and freed of what no database takes.
   */
  append(line: Omit<NewAuditLine, "atMs">): Promise<void>;
  list(query: AuditQuery): Promise<AuditPage>;
}

export function createAuditLog(need: {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}): AuditLog {
  const store = auditStore(need.database);
  return {
    async append(line) {
      const whole: NewAuditLine = {
        ...line,
        atMs: need.clock.now(),
        address: writable(line.address),
        subject: line.subject === null ? null : writable(line.subject),
        accountId: line.accountId === null ? null : writable(line.accountId),
        detail: line.detail === null ? null : writable(line.detail),
      };
      try {
        await store.append(whole);
      } catch (cause) {
        need.log.error({ err: cause, line: whole }, "a line of the audit could not be written");
      }
    },
    async list(query) {
      const lines = await store.list(query);
      const last = lines.length < query.limit ? undefined : lines.at(-1);
      return { lines, before: last?.auditId ?? null };
    },
  };
}

const TEXT_LENGTH_MAX = 200;

function writable(text: string): string {
  return text
    .slice(0, TEXT_LENGTH_MAX)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "\uFFFD");
}
