import type { AuditLine } from "@propgate/contract";
import { type UnixMs, unixMs } from "@propgate/core";
import type { PersonId } from "../../../people/person.ts";
import type { Database } from "../../database.ts";

/** A line before it has its number. */
export interface NewAuditLine extends Omit<AuditLine, "auditId" | "atMs"> {
  readonly atMs: UnixMs;
  /** Null: the operator's token, or nobody that is known. */
  readonly personId: PersonId | null;
}

export interface AuditQuery {
  readonly accountId?: string | null;
  readonly personId?: PersonId | null;
  readonly deed?: string | null;
  /** Lines older than this one; null: from the newest on. */
  readonly before: number | null;
  readonly limit: number;
}

export interface AuditStore {
  /** Durable when it resolves. */
  append(line: NewAuditLine): Promise<void>;
  /** The newest first. */
  list(query: AuditQuery): Promise<readonly AuditLine[]>;
}

interface AuditRow {
  readonly audit_id: string;
  readonly at_ms: string;
  readonly by_name: string;
  readonly role: string;
  readonly address: string;
  readonly deed: string;
  readonly subject: string | null;
  readonly account_id: string | null;
  readonly detail: string | null;
  readonly succeeded: boolean;
}

/** Any number will do that no other lock has, as long as every node takes the same. */
const AUDIT_LOCK = 7_720_003;

export function auditStore(database: Database): AuditStore {
  return {
    // One after the other, so that the numbers have no gap: a line that is missing would show.
    append: (line) =>
      database.transaction(async (transaction) => {
        await transaction.query(`select pg_advisory_xact_lock(${AUDIT_LOCK})`, []);
        await transaction.query(
          `insert into audit (audit_id, at_ms, person_id, by_name, role, address, deed, subject,
             account_id, detail, succeeded)
           select coalesce(max(audit_id), 0) + 1, $1::bigint, $2::uuid, $3, $4, $5, $6, $7, $8, $9,
             $10::boolean from audit`,
          [
            ...[line.atMs, line.personId, line.by, line.role, line.address, line.deed],
            ...[line.subject, line.accountId, line.detail, line.succeeded],
          ],
        );
      }),
    async list(query) {
      const { text, values } = listText(query);
      const rows = await database.query<AuditRow>(text, values);
      return rows.map(auditLine);
    },
  };
}

/** By what is asked for alone, so that each has its index. */
function listText(query: AuditQuery): {
  readonly text: string;
  readonly values: readonly unknown[];
} {
  const asked: readonly (readonly [condition: string, value: unknown])[] = [
    ["account_id =", query.accountId ?? null],
    ["person_id =", query.personId ?? null],
    ["deed =", query.deed ?? null],
    ["audit_id <", query.before],
  ];
  const given = asked.filter(([, value]) => value !== null);
  const conditions = given.map(([condition], index) => `${condition} $${index + 2}`);
  const where = conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
  return {
    text: `select audit_id, at_ms, by_name, role, address, deed, subject, account_id, detail,
      succeeded from audit ${where} order by audit_id desc limit $1`,
    values: [query.limit, ...given.map(([, value]) => value)],
  };
}

function auditLine(row: AuditRow): AuditLine {
  return {
    auditId: Number(row.audit_id),
    atMs: unixMs(Number(row.at_ms)),
    by: row.by_name,
    role: row.role,
    address: row.address,
    deed: row.deed,
    subject: row.subject,
    accountId: row.account_id,
    detail: row.detail,
    succeeded: row.succeeded,
  };
}
