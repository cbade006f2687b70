import type { AuditLine } from "@propgate/contract";
import { type UnixMs, unixMs } from "@propgate/core";
import type { Database, Queryable } from "../databases/database.ts";
import {
  AUDIT_START,
  type AuditHead,
  type AuditProof,
  auditHash,
  proveAudit,
} from "../rows/audit-chain.ts";
import type { PersonId } from "../rows/person-id.ts";

/** A line of the audit that has no number yet. */
export interface NewAuditLine extends Omit<AuditLine, "auditId" | "atMs"> {
  readonly atMs: UnixMs;
  /** Null for an operator token, and for an unknown person. */
  readonly personId: PersonId | null;
}

/** Selects lines of the audit. */
export interface AuditQuery {
  /** Null selects the lines of all accounts, and those of no account. */
  readonly accountId: string | null;
  /** Selects lines older than the line with this number; null begins with the newest line. */
  readonly before: number | null;
  readonly limit: number;
}

/** The hash-chained log of what people and tokens changed. */
export interface AuditStore {
  /** Appends the line to the chain. It is durable when the promise resolves. @rule D10.auditChained */
  append(line: NewAuditLine): Promise<void>;
  /** The newest line; null when there is none. */
  head(): Promise<AuditHead | null>;
  /**
   * Recomputes the chain and compares it with `noted`, a head that was noted down earlier. It may leave out lines that
   * are appended meanwhile.
   */
  prove(noted: AuditHead | null): Promise<AuditProof>;
  /** The newest `limit` lines, newest first. */
  list(query: AuditQuery): Promise<readonly AuditLine[]>;
}

interface StoredLine {
  readonly audit_id: string;
  readonly at_ms: string;
  readonly by_name: string;
  readonly role: AuditLine["role"];
  readonly address: string;
  readonly deed: string;
  readonly subject: string | null;
  readonly account_id: string | null;
  readonly detail: string | null;
  readonly succeeded: boolean;
}

interface ChainedLine extends StoredLine {
  readonly person_id: string | null;
  readonly hash: Uint8Array;
}

/** The advisory lock of the audit: an arbitrary number that no other lock uses, the same on every node. */
const AUDIT_LOCK = 7_720_003;

export function createAuditStore(database: Database): AuditStore {
  return {
    // Lines are appended one at a time over all nodes, so their numbers have no gap and the chain has no fork.
    append: (line) =>
      database.transaction(async (transaction) => {
        await transaction.query(`select pg_advisory_xact_lock(${AUDIT_LOCK})`, []);
        const { lastId, hash } = await chainEnd(transaction);
        const row = {
          ...line,
          auditId: lastId + 1,
          personId: line.personId?.toLowerCase() ?? null,
        };
        await transaction.query(
          `insert into audit (${COLUMNS}) values
             ($1::bigint, $2::bigint, $3::uuid, $4, $5, $6, $7, $8, $9, $10, $11::boolean, $12::bytea)`,
          [
            row.auditId,
            row.atMs,
            row.personId,
            row.by,
            row.role,
            row.address,
            row.deed,
            row.subject,
            row.accountId,
            row.detail,
            row.succeeded,
            auditHash(hash, row),
          ],
        );
      }),
    async head() {
      const [newest] = await database.query<Pick<ChainedLine, "audit_id" | "hash">>(NEWEST, []);
      if (newest === undefined) return null;
      const { audit_id: auditId, hash } = newest;
      return { auditId: Number(auditId), hash: Buffer.from(hash).toString("hex") };
    },
    prove: (noted) => proveAudit(chainedLines(database, 1), noted),
    async list(query) {
      const { text, values } = listText(query);
      const rows = await database.query<StoredLine>(text, values);
      return rows.map(auditLine);
    },
  };
}

const NEWEST = "select audit_id, hash from audit order by audit_id desc limit 1";
const COLUMNS =
  "audit_id, at_ms, person_id, by_name, role, address, deed, subject, account_id, detail, succeeded, hash";

/** The number and hash of the last line; 0 and `AUDIT_START` when there is none. */
async function chainEnd(
  transaction: Queryable,
): Promise<{ readonly lastId: number; readonly hash: Uint8Array }> {
  const [newest] = await transaction.query<Pick<ChainedLine, "audit_id" | "hash">>(NEWEST, []);
  return newest === undefined
    ? { lastId: 0, hash: AUDIT_START }
    : { lastId: Number(newest.audit_id), hash: newest.hash };
}

const PAGE = 1_000;

/** The lines from this number on, in order, read page by page. */
async function* chainedLines(database: Queryable, fromId: number) {
  let next = fromId;
  for (;;) {
    const page = await database.query<ChainedLine>(
      `select ${COLUMNS} from audit where audit_id >= $1 order by audit_id limit ${PAGE}`,
      [next],
    );
    for (const { person_id: personId, hash, ...stored } of page) {
      const line = auditLine(stored);
      yield { row: { ...line, personId }, hash };
      next = line.auditId + 1;
    }
    if (page.length < PAGE) return;
  }
}

/** The statement has conditions only for the given filters, so that each query can use its index. */
function listText({ accountId, before, limit }: AuditQuery): {
  readonly text: string;
  readonly values: readonly unknown[];
} {
  const filters: readonly (readonly [condition: string, value: unknown])[] = [
    ["account_id =", accountId],
    ["audit_id <", before],
  ];
  const given = filters.filter(([, value]) => value !== null);
  const conditions = given.map(([condition], index) => `${condition} $${index + 2}`);
  const where = conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
  return {
    text: `select audit_id, at_ms, by_name, role, address, deed, subject, account_id, detail,
      succeeded from audit ${where} order by audit_id desc limit $1`,
    values: [limit, ...given.map(([, value]) => value)],
  };
}

function auditLine(row: StoredLine): AuditLine {
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
