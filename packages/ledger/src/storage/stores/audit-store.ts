import { createMicroBatcher } from "@propgate/base";
import type { AuditLine } from "@propgate/contract";
import { type UnixMs, unixMs } from "@propgate/core";
import type { Queryable } from "../databases/database.ts";
import { isUniqueViolation } from "../databases/database-error.ts";
import {
  AUDIT_START,
  type AuditHead,
  type AuditProof,
  type AuditRow,
  auditHash,
  proveAudit,
} from "../rows/audit-chain.ts";
import type { PersonId } from "../rows/person-id.ts";
import { columnNames, type ListColumns, listStatement } from "./row-lists.ts";

/** A line of the audit that has no number yet. */
export interface NewAuditLine extends Omit<AuditLine, "auditId" | "atMs"> {
  readonly atMs: UnixMs;
  /** Null for an operator token, and for an unknown person. */
  readonly personId: PersonId | null;
}

/** Selects lines of the audit. */
export interface AuditQuery {
  /** Null selects the lines of all accounts, and the lines without an account. */
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
   * Recomputes the chain and compares it with `noted`, a head that was noted down earlier. Lines that are appended
   * meanwhile may be left out.
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

interface ChainedAuditLine extends StoredLine {
  readonly person_id: string | null;
  readonly hash: Uint8Array;
}

/** A line with its number and its hash, which covers the line itself and the previous line's hash. */
interface ChainedRow {
  readonly row: AuditRow;
  readonly hash: Uint8Array;
}

/** The maximum number of lines that are appended together. */
const APPEND_BATCH_MAX = 100;

export function createAuditStore(database: Queryable): AuditStore {
  const appending = createMicroBatcher<NewAuditLine, undefined>({
    batchMax: APPEND_BATCH_MAX,
    concurrentMax: 1,
    async run(lines) {
      let areAppended = false;
      while (!areAppended) areAppended = await appendNext(database, lines);
      return lines.map(() => undefined);
    },
  });
  return {
    append: (line) => appending.submit(line),
    async head() {
      const [newest] = await database.query<Pick<ChainedAuditLine, "audit_id" | "hash">>(
        NEWEST,
        [],
      );
      if (newest === undefined) return null;
      const { audit_id: auditId, hash } = newest;
      return { auditId: Number(auditId), hash: Buffer.from(hash).toString("hex") };
    },
    prove: (noted) => proveAudit(chainedLines(database, 1), noted),
    async list(query) {
      const { text, values } = listSql(query);
      const rows = await database.query<StoredLine>(text, values);
      return rows.map(auditLine);
    },
  };
}

const NEWEST = "select audit_id, hash from audit order by audit_id desc limit 1";
const COLUMNS: ListColumns<ChainedRow> = [
  ["audit_id", "bigint", ({ row }) => row.auditId],
  ["at_ms", "bigint", ({ row }) => row.atMs],
  ["person_id", "uuid", ({ row }) => row.personId],
  ["by_name", "text", ({ row }) => row.by],
  ["role", "text", ({ row }) => row.role],
  ["address", "text", ({ row }) => row.address],
  ["deed", "text", ({ row }) => row.deed],
  ["subject", "text", ({ row }) => row.subject],
  ["account_id", "text", ({ row }) => row.accountId],
  ["detail", "text", ({ row }) => row.detail],
  ["succeeded", "boolean", ({ row }) => row.succeeded],
  ["hash", "bytea", ({ hash }) => hash],
];
const APPEND = listStatement<{ readonly lines: ChainedRow }>(
  { lines: COLUMNS },
  ({ lines }) => `insert into audit (${columnNames(COLUMNS)}) select * from ${lines}`,
);

/**
 * Appends the lines after the newest line. Returns false and appends none when another node has appended a line
 * meanwhile. No lock is held between the two statements, so a node that is slow or stopped delays no other node.
 */
async function appendNext(database: Queryable, lines: readonly NewAuditLine[]): Promise<boolean> {
  let { lastId, hash } = await chainEnd(database);
  const chained = lines.map((line): ChainedRow => {
    lastId += 1;
    const row = { ...line, auditId: lastId, personId: line.personId?.toLowerCase() ?? null };
    hash = auditHash(hash, row);
    return { row, hash };
  });
  try {
    await database.query(APPEND.text, APPEND.parameters({ lines: chained }));
    return true;
  } catch (cause) {
    if (isUniqueViolation(cause)) return false;
    throw cause;
  }
}

/** The number and hash of the last line; 0 and `AUDIT_START` when there is none. */
async function chainEnd(
  database: Queryable,
): Promise<{ readonly lastId: number; readonly hash: Uint8Array }> {
  const [newest] = await database.query<Pick<ChainedAuditLine, "audit_id" | "hash">>(NEWEST, []);
  return newest === undefined
    ? { lastId: 0, hash: AUDIT_START }
    : { lastId: Number(newest.audit_id), hash: newest.hash };
}

const PAGE = 1_000;

/** The lines from this number on, in order, read page by page. */
async function* chainedLines(database: Queryable, fromId: number) {
  let next = fromId;
  for (;;) {
    const page = await database.query<ChainedAuditLine>(
      `select ${columnNames(COLUMNS)} from audit where audit_id >= $1 order by audit_id limit ${PAGE}`,
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
function listSql({ accountId, before, limit }: AuditQuery): {
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
