import { createPublicKey, verify } from "node:crypto";
import { isNestedTooDeep } from "@propgate/base";
import {
  type ChainedLine,
  JOURNAL_START,
  type JournalHead,
  type JournalStart,
  judgeJournal,
  parseHashedText,
  parseState,
} from "@propgate/core";
import { sha256 } from "@propgate/ledger";
import { canonicalJson } from "./canonical-json.ts";
import { cataloguesOf, EVIDENCE_FORMAT, evidenceBody } from "./evidence-document.ts";

/** The result of a check of evidence: it holds, it fails, or it cannot be checked. */
export type EvidenceVerdict =
  | {
      readonly verdict: "holds";
      readonly lines: number;
      /** The number of the first line. Only the signature vouches for the account as it was before that line. */
      readonly from: number;
      /** The number of decisions that were made again. */
      readonly decisions: number;
      readonly keyId: string;
      readonly explanation: readonly string[];
    }
  | {
      readonly verdict: "fails";
      /** The part of the document that failed the check, such as `lines`, `end` or `signature`. */
      readonly part: string;
      /** The reason, as a sentence. */
      readonly why: string;
    }
  /**
   * The check is not possible: the document is not evidence, the key file has no keys, an object in one of them has two
   * fields of one name, or a decision needs another release.
   */
  | { readonly verdict: "unreadable"; readonly why: string };

type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks evidence with the published keys alone: the chain of its lines and its signature. Every decision is made
 * again, and every other part is made again from the lines. @rule D13.evidence
 */
export function verifyEvidence(text: string, keysText: string): EvidenceVerdict {
  const value = parsedJson(text);
  if (value === undefined)
    return unreadableVerdict("The file is not JSON, or is nested too deeply.");
  const document = asFields(value);
  if (document === null)
    return unreadableVerdict("The file is not evidence: it must be a JSON object.");
  if (hasDuplicateName(text, document)) return unreadableVerdict(`The file ${DOUBLED}`);
  if (document.format !== EVIDENCE_FORMAT) {
    return unreadableVerdict(`The file is not evidence: its format is not ${EVIDENCE_FORMAT}.`);
  }
  const keys = publishedKeysIn(keysText);
  if (keys === null)
    return unreadableVerdict("The file of keys is not an answer of evidence-keys.");
  if (hasDuplicateName(keysText, parsedJson(keysText)))
    return unreadableVerdict(`The file of keys ${DOUBLED}`);
  const read = sourceOf(document);
  if ("verdict" in read) return read;
  const judged = redecideLines(read);
  if ("verdict" in judged) return judged;
  const remade = checkRemadeParts(document, read);
  if (remade.verdict !== "holds") return remade;
  const signed = checkSignature(document, keys);
  if ("verdict" in signed) return signed;
  return { ...remade, decisions: judged.decisions, keyId: signed.keyId };
}

interface Source {
  readonly start: JournalStart;
  readonly lines: readonly ChainedLine[];
  readonly catalogues: ReadonlyMap<string, string>;
  readonly head: JournalHead;
}

function sourceOf(document: Fields): Source | EvidenceVerdict {
  const { lines, documents, head, program } = document;
  const start = startOf(document);
  if (start === null) return failedVerdict("state", "It is not the account after a line.");
  const chained: ChainedLine[] = [];
  for (const [index, line] of (Array.isArray(lines) ? lines : []).entries()) {
    const read = chainedLine(line);
    if (read === null)
      return failedVerdict("lines", `Line ${index + 1} is not a line of a journal.`);
    chained.push(read);
  }
  const [first] = chained;
  if (first === undefined) return failedVerdict("lines", "It has no lines.");
  const texts = Object.entries(asFields(documents) ?? {});
  const wrong = texts.find(
    ([hash, text]) => typeof text !== "string" || hexOf(sha256(text)) !== hash,
  );
  if (wrong !== undefined) {
    return failedVerdict(
      "documents",
      `The text under ${wrong[0].slice(0, 64)} has another SHA-256.`,
    );
  }
  const { sequence, hash } = asFields(head) ?? {};
  if (typeof sequence !== "number" || typeof hash !== "string") {
    return failedVerdict("head", "It has no number and hash of the last line.");
  }
  const { hash: terms = null } = asFields(program) ?? {};
  return {
    start,
    lines: chained,
    catalogues: cataloguesOf(
      Object.fromEntries(texts.map(([name, text]) => [name, String(text)])),
      typeof terms === "string" ? terms : null,
    ),
    head: { accountId: first.accountId, version: sequence, headHash: Buffer.from(hash, "hex") },
  };
}

/**
 * The number and hash of the line before `lines`, with the account at that time. When `state` is null, the start of the
 * journal; when `state` is not valid, null.
 */
function startOf({ state }: Fields): JournalStart | null {
  if (state === null) return JOURNAL_START;
  const { sequence, hash, account } = asFields(state) ?? {};
  const isPlace = typeof sequence === "number" && Number.isSafeInteger(sequence) && sequence > 0;
  if (!isPlace || typeof hash !== "string" || asFields(account) === null) return null;
  return { sequence, hash: Buffer.from(hash, "hex"), state: parseState(JSON.stringify(account)) };
}

function chainedLine(value: unknown): ChainedLine | null {
  const { sequence, line, hash } = asFields(value) ?? {};
  if (typeof line !== "string" || typeof hash !== "string") return null;
  const row = parseHashedText(line);
  return row === null || row.seq !== sequence ? null : { ...row, hash: Buffer.from(hash, "hex") };
}

/** Checks the chain and makes each decision again. Returns the number of decisions, or the verdict of a failure. */
function redecideLines(source: Source): { readonly decisions: number } | EvidenceVerdict {
  const judge = judgeJournal(sha256, source.head, source.start);
  for (const [hash, text] of source.catalogues) judge.addCatalogue(hash, text);
  for (const line of source.lines) if (!judge.read(line)) break;
  const { different, otherVersions, judged } = judge.judgement();
  if (different !== null) return failedVerdict("lines", `Line ${different.seq}: ${different.why}.`);
  const [other] = otherVersions;
  if (other === undefined) return { decisions: judged };
  return unreadableVerdict(
    `${other.decisions} of its decisions need Propgate ${other.version}; check it with that release.`,
  );
}

/** Every part follows from the lines and the documents, so it is made again and compared. */
function checkRemadeParts(document: Fields, source: Source): EvidenceVerdict {
  try {
    const body = evidenceBody(source);
    if (body === null) return failedVerdict("end", "No line says that the account ended.");
    const { signature: _, ...given } = document;
    for (const [part, value] of Object.entries(body)) {
      if (canonicalJson(given[part]) !== canonicalJson(value)) {
        return failedVerdict(part, "It does not follow from the lines.");
      }
    }
    const unknown = Object.keys(given).find((part) => !(part in body));
    if (unknown !== undefined) return failedVerdict(unknown, "Evidence has no such part.");
    const { lines, explanation } = body;
    const from = source.start.sequence + 1;
    return { verdict: "holds", lines: lines.length, from, decisions: 0, keyId: "", explanation };
  } catch (cause) {
    return failedVerdict("lines", `They cannot be applied: ${String(cause)}.`);
  }
}

function checkSignature(
  { signature, ...body }: Fields,
  keys: readonly Fields[],
): { readonly keyId: string } | EvidenceVerdict {
  const given = asFields(signature) ?? {};
  const { keyId, alg, value } = given;
  if (typeof keyId !== "string" || alg !== "Ed25519" || typeof value !== "string") {
    return failedVerdict("signature", "It has no key id, scheme and value.");
  }
  if (Object.keys(given).length !== 3) return failedVerdict("signature", "It has unknown fields.");
  const key = keys.find((one) => one.keyId === keyId);
  if (key === undefined) {
    return failedVerdict(
      "signature",
      `The file of keys does not have the key ${keyId.slice(0, 100)}.`,
    );
  }
  const bytes = Buffer.from(value, "base64");
  const isSpelled = bytes.toString("base64") === value;
  if (isSpelled && isSignedBy(key, canonicalJson(body), bytes)) return { keyId };
  return failedVerdict("signature", "It is not the signature of this document by that key.");
}

function isSignedBy({ publicKey }: Fields, text: string, signature: Uint8Array): boolean {
  try {
    const x = Buffer.from(String(publicKey), "base64").toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return verify(null, Buffer.from(text, "utf8"), key, signature);
  } catch {
    return false;
  }
}

/** The keys in the whole answer of `evidence-keys`, in its list or in one of its items; null for any other text. */
function publishedKeysIn(text: string): readonly Fields[] | null {
  const value = parsedJson(text);
  const { data = value } = asFields(value) ?? {};
  const list = Array.isArray(data) ? data : [data];
  const keys = list.map(asFields).filter((key) => key !== null);
  const isKey = ({ keyId, publicKey }: Fields) =>
    typeof keyId === "string" && typeof publicKey === "string";
  return keys.length === list.length && keys.length > 0 && keys.every(isKey) ? keys : null;
}

/**
 * The value of a JSON text. Undefined for a text that is not JSON, and for one that is nested too deeply for recursive
 * functions.
 */
function parsedJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isNestedTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

const DOUBLED =
  "has two fields of one name in an object, which readers would take for different texts.";

/** Matches each text of a JSON document. The group has a colon when the text is a field's name. */
const TEXTS = /"(?:[^"\\]|\\.)*"\s*(:?)/g;

/**
 * True when an object has two fields with one name. JSON readers differ in which one they keep, so a person might read
 * another value than the one that was checked.
 */
function hasDuplicateName(text: string, value: unknown): boolean {
  let names = 0;
  for (const [, colon] of text.matchAll(TEXTS)) if (colon === ":") names += 1;
  return names !== countNames(value);
}

function countNames(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value).map(countNames);
  const own = Array.isArray(value) ? 0 : inner.length;
  return inner.reduce((sum, count) => sum + count, own);
}

function asFields(value: unknown): Fields | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null;
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function failedVerdict(part: string, why: string): EvidenceVerdict {
  return { verdict: "fails", part, why };
}

function unreadableVerdict(why: string): EvidenceVerdict {
  return { verdict: "unreadable", why };
}
