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

/** SHA-256 over the previous line's hash and the JSON list of this line's columns. */
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

/** The newest line of the chain: a noted head proves later that the line is still there. */
export interface AuditHead {
  readonly auditId: number;
  /** Hex. */
  readonly hash: string;
}

export interface AuditProof {
  readonly lines: number;
  /** The first line with a hash, which also covers every line before it; null when none has one. */
  readonly chainedFrom: number | null;
  /** Null when no line has a hash. */
  readonly head: AuditHead | null;
  /** The first line that is not as it was written; null when there is none. */
  readonly broken: { readonly auditId: number; readonly why: string } | null;
}

interface ChainedRow {
  readonly row: AuditRow;
  /** Null for a line of a release without hashes. */
  readonly hash: Uint8Array | null;
}

/**
 * Recomputes the chain over all lines, which come in the order of their numbers, and compares it with
 * the stored hashes and with a head that was noted down earlier.
 */
export async function proveAudit(
  rows: AsyncIterable<ChainedRow>,
  noted: AuditHead | null,
): Promise<AuditProof> {
  const proof: Proving = { lines: 0, chainedFrom: null, head: null };
  let computed = AUDIT_START;
  for await (const line of rows) {
    computed = auditHash(computed, line.row);
    const why = breakOf(line, { proof, computed });
    if (why !== null) return { ...proof, broken: { auditId: proof.lines + 1, why } };
    proof.lines = line.row.auditId;
    if (line.hash === null) continue;
    proof.chainedFrom ??= line.row.auditId;
    proof.head = { auditId: line.row.auditId, hash: Buffer.from(line.hash).toString("hex") };
    if (noted?.auditId === line.row.auditId && noted.hash !== proof.head.hash) {
      return { ...proof, broken: { auditId: noted.auditId, why: NOT_AS_NOTED } };
    }
  }
  return { ...proof, broken: noted === null ? null : missingNoted(noted, proof) };
}

/** The result up to the last checked line. */
type Proving = { -readonly [Name in keyof Omit<AuditProof, "broken">]: AuditProof[Name] };

/** Why the next line breaks the chain; null when it does not. */
function breakOf(
  { row, hash: stored }: ChainedRow,
  { proof, computed }: { readonly proof: Proving; readonly computed: Uint8Array },
): string | null {
  const isChained = proof.chainedFrom !== null;
  if (row.auditId !== proof.lines + 1) return MISSING;
  if (stored === null) return isChained ? "the line has no hash" : null;
  if (Buffer.compare(stored, computed) === 0) return null;
  return isChained || row.auditId === 1 ? "the line is not as it was written" : FIRST_ALTERED;
}

/** Why a head that was noted down is not among the lines; null when it is. */
function missingNoted(
  { auditId }: AuditHead,
  { lines, chainedFrom }: Proving,
): AuditProof["broken"] {
  if (chainedFrom === null || auditId < chainedFrom) return { auditId, why: UNHASHED_NOTED };
  return auditId > lines ? { auditId: lines + 1, why: MISSING } : null;
}

const MISSING = "the line is missing";
const NOT_AS_NOTED = "the line, or one before it, is not the one whose hash was noted down";
const UNHASHED_NOTED = "the line has no hash, and its hash was noted down";
const FIRST_ALTERED = "the line, or one of those before it, is not as it was written";
