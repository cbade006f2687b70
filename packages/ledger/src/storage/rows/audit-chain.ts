import { hash } from "node:crypto";

/** A line of the audit exactly as stored; the chain covers all of it. */
export interface AuditRow {
  readonly auditId: number;
  readonly atMs: number;
  readonly personId: string | null;
  readonly by: string;
  readonly role: string;
  readonly address: string;
  readonly deed: string;
  readonly subject: string | null;
  readonly accountId: string | null;
  readonly detail: string | null;
  readonly succeeded: boolean;
}

/** The hash before the first line. */
export const AUDIT_START: Uint8Array = new Uint8Array(32);

/** SHA-256 over the previous line's hash and the JSON list of this line's columns. @rule D10.auditChained decides */
export function auditHash(before: Uint8Array, row: AuditRow): Uint8Array {
  const { auditId, atMs, personId, by, role, address, deed } = row;
  const { subject, accountId, detail, succeeded } = row;
  const columns = [
    auditId,
    atMs,
    personId,
    by,
    role,
    address,
    deed,
    subject,
    accountId,
    detail,
    succeeded,
  ];
  return hash("sha256", Buffer.concat([before, Buffer.from(JSON.stringify(columns))]), "buffer");
}

/** The newest line of the chain. A head that was noted down proves later that the line is still there. */
export interface AuditHead {
  readonly auditId: number;
  /** The hash in hexadecimal. */
  readonly hash: string;
}

/** The result of a check of the audit's chain; `lines` is the number of lines that are right. */
export interface AuditProof {
  readonly lines: number;
  /** The last line that is right; null when there is none. */
  readonly head: AuditHead | null;
  /** The first line that is not as it was written; null when there is none. */
  readonly broken: { readonly auditId: number; readonly why: string } | null;
}

interface ChainedRow {
  readonly row: AuditRow;
  readonly hash: Uint8Array;
}

/**
 * Recomputes the chain over all lines, which come in the order of their numbers, and compares it with the stored hashes
 * and with a head that was noted down earlier. `broken` of the result is the first line that is missing or altered.
 * @rule D10.auditProved decides
 */
export async function proveAudit(
  rows: AsyncIterable<ChainedRow>,
  noted: AuditHead | null,
): Promise<AuditProof> {
  let head: AuditHead | null = null;
  let computed = AUDIT_START;
  const proof = (broken: AuditProof["broken"]): AuditProof => ({
    lines: head?.auditId ?? 0,
    head,
    broken,
  });
  for await (const { row, hash: stored } of rows) {
    const auditId: number = (head?.auditId ?? 0) + 1;
    if (row.auditId !== auditId) return proof({ auditId, why: MISSING });
    computed = auditHash(computed, row);
    if (Buffer.compare(stored, computed) !== 0) return proof({ auditId, why: ALTERED });
    head = { auditId, hash: Buffer.from(stored).toString("hex") };
    if (noted?.auditId === auditId && noted.hash !== head.hash) {
      return proof({ auditId, why: NOT_AS_NOTED });
    }
  }
  const next = (head?.auditId ?? 0) + 1;
  return proof(noted !== null && noted.auditId >= next ? { auditId: next, why: MISSING } : null);
}

const MISSING = "the line is missing";
const ALTERED = "the line is not as it was written";
const NOT_AS_NOTED = "the line, or one before it, is not the one whose hash was noted down";
