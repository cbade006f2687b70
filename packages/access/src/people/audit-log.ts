import type { Clock, Log } from "@propgate/base";
import type { AuditPage } from "@propgate/contract";
import {
  type AuditHead,
  type AuditProof,
  type AuditQuery,
  createAuditStore,
  type Database,
  type NewAuditLine,
} from "@propgate/ledger";

/** The audit: the log of what people and tokens have changed. Lines are only added. */
export interface AuditLog {
  /**
   * Appends a line, which is durable when the call resolves. It never rejects, because the action is already done: a
   * line that cannot be written becomes an error in the log, with the whole line. Texts from outside are truncated, and
   * control characters in them are replaced.
   */
  append(line: Omit<NewAuditLine, "atMs">): Promise<void>;
  /** A page of lines, newest first. */
  list(query: AuditQuery): Promise<AuditPage>;
  /** The newest line of the chain; null while there is none. */
  head(): Promise<AuditHead | null>;
  /**
   * Computes the hash chain over all lines again. `noted` is a head that was written down earlier, which the chain has
   * to contain; null without one. @rule D10.auditChained
   */
  prove(noted: AuditHead | null): Promise<AuditProof>;
}

export function createAuditLog(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}): AuditLog {
  const store = createAuditStore(options.database);
  return {
    async append(line) {
      const whole: NewAuditLine = {
        ...line,
        atMs: options.clock.now(),
        address: sanitizeText(line.address),
        subject: line.subject === null ? null : sanitizeText(line.subject),
        accountId: line.accountId === null ? null : sanitizeText(line.accountId),
        detail: line.detail === null ? null : sanitizeText(line.detail),
      };
      try {
        await store.append(whole);
      } catch (cause) {
        options.log.error({ err: cause, line: whole }, "a line of the audit could not be written");
      }
    },
    head: () => store.head(),
    prove: (noted) => store.prove(noted),
    async list(query) {
      const lines = await store.list(query);
      const last = lines.length < query.limit ? undefined : lines.at(-1);
      return { lines, before: last?.auditId ?? null };
    },
  };
}

const TEXT_LENGTH_MAX = 200;

function sanitizeText(text: string): string {
  return text
    .slice(0, TEXT_LENGTH_MAX)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "\uFFFD");
}
