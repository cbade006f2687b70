/**
 * The file of a journal has one JSON text in each line. The first text is the head of the journal. The text of each
 * catalogue comes before the first line of the journal whose inputs name it.
 */
import { type AccountId, accountId } from "../ids.ts";
import { type ChainedLine, isTextOrNull, type JournalHead } from "./chain.ts";
import { type JournalJudge, type Judgement, judgeJournal } from "./rejudge.ts";
import type { Sha256 } from "./sha256.ts";

const FORMAT = 1;

interface HeadText {
  readonly format: number;
  readonly accountId: string;
  readonly version: number;
  /** The hash of the last journal line in hexadecimal, like every line hash in the file. */
  readonly headHash: string;
}

interface CatalogueText {
  readonly catalogue: string;
  readonly body: string;
}

interface LineText extends Omit<ChainedLine, "hash" | "accountId"> {
  readonly hash: string;
}

/** The first text of the file: the head of the journal. */
export function headText({ accountId: id, version, headHash }: JournalHead): string {
  const head: HeadText = { format: FORMAT, accountId: id, version, headHash: bytesToHex(headHash) };
  return JSON.stringify(head);
}

/** The text of a catalogue in the file. */
export function catalogueLineText(hash: string, body: string): string {
  return JSON.stringify({ catalogue: hash, body } satisfies CatalogueText);
}

/** The text of a journal line in the file. */
export function lineText(line: ChainedLine): string {
  const { accountId: _accountId, ...columns } = line;
  return JSON.stringify({ ...columns, hash: bytesToHex(line.hash) } satisfies LineText);
}

/** Judges the file of a journal while it is read. */
export interface JournalFileJudge {
  /** The number of lines read so far, and the number of lines that the head states; null before the head was read. */
  readonly progress: { readonly lines: number; readonly version: number } | null;
  /** Reads the next text of the file. False when further texts cannot change the verdict. */
  read(text: string): boolean;
  /** To be called after the last text. Null when the texts were not the file of a journal. */
  judgement(): Judgement | null;
}

/** Begins to judge a file: makes its decisions again, as `judgeJournal` does. */
export function judgeJournalFile(sha256: Sha256): JournalFileJudge {
  let head: JournalHead | null = null;
  let judge: JournalJudge | null = null;
  let isReadable = true;
  const readHead = (value: object): boolean => {
    head = parseHead(value);
    if (head === null) return false;
    judge = judgeJournal(sha256, head);
    return true;
  };
  return {
    get progress() {
      return head === null || judge === null ? null : { lines: judge.lines, version: head.version };
    },
    read(text) {
      const value = parseObject(text);
      if (value === null) isReadable = false;
      else if (head === null || judge === null) isReadable = readHead(value);
      else if (isCatalogue(value)) judge.addCatalogue(value.catalogue, value.body);
      else if (isLine(value)) return judge.read(chainedLine(head.accountId, value, text));
      else isReadable = false;
      return isReadable;
    },
    judgement: () => (isReadable && judge !== null ? judge.judgement() : null),
  };
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/**
 * The head of the file; null when the value is not a head. The journal of an account has at least the line of its
 * opening, so `version` is at least 1.
 */
function parseHead(value: object): JournalHead | null {
  const { format, accountId: id, version, headHash } = value as Partial<HeadText>;
  if (format !== FORMAT || typeof id !== "string" || typeof headHash !== "string") return null;
  if (!isCount(version)) return null;
  return { accountId: accountId(id), version, headHash: hexToBytes(headHash) };
}

function isCatalogue(value: object): value is CatalogueText {
  const { catalogue, body } = value as Partial<CatalogueText>;
  return typeof catalogue === "string" && typeof body === "string";
}

function isLine(value: object): value is LineText {
  const { seq, atMs, origin, keyId, nonce, command, event, inputs, hash } =
    value as Partial<LineText>;
  const texts = [origin, command, event, hash];
  const textsOrNull = [keyId, nonce, inputs];
  return (
    isCount(seq) &&
    Number.isSafeInteger(atMs) &&
    texts.every((text) => typeof text === "string") &&
    textsOrNull.every(isTextOrNull)
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

/**
 * The journal line that a JSON text contains. The hash does not cover how the text is written: a repeated or additional
 * field, or other spacing or escapes. A text that differs from the one that the service writes therefore gets a hash
 * that no line can have.
 */
function chainedLine(account: AccountId, value: LineText, text: string): ChainedLine {
  const { seq, atMs, origin, keyId, nonce, command, event, inputs, hash } = value;
  const columns = { seq, atMs, origin, keyId, nonce, command, event, inputs };
  const line = { ...columns, accountId: account, hash: hexToBytes(hash) };
  return lineText(line) === text ? line : { ...line, hash: NO_HASH };
}

const BYTE_DIGITS = 2;
const NO_HASH = new Uint8Array();

function bytesToHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(BYTE_DIGITS, "0")).join("");
}

/** The bytes of a hexadecimal hash. A string that is not a hash becomes bytes that equal no hash. */
function hexToBytes(text: string): Uint8Array {
  const pairs = text.match(/[0-9a-f]{2}/g) ?? [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}
