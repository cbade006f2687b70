import { LIMITS } from "../limits.ts";

/* `JSON.parse` keeps the last of two equal keys and turns 1e999 into Infinity, so a body could mean one thing to its
   signer and another to the service. This reader rejects both and names the path of the value. */

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** An object without a prototype, so that `__proto__` and `constructor` are ordinary keys. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** The object of a request body, or the problem of its text. */
export type JsonReading =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly problem: string; readonly member: MemberProblem | null };

/** A member of a JSON object that is valid JSON and still rejected, such as a key that is given twice. */
export interface MemberProblem {
  /** The member's path, such as `trade.bracket_orders[0].price`. */
  readonly path: string;
  /** The problem, as a text that follows the path. */
  readonly text: string;
}

/**
 * Reads the text of a request body, which must be one JSON object without duplicate keys and with finite numbers. Takes
 * time in proportion to its length; nesting is bounded by `depthMax`. A problem is reported as a text for people, which
 * names where it is in the body. @rule D2.json decides
 */
export function readJsonObject(text: string, depthMax: number = LIMITS.jsonDepthMax): JsonReading {
  const cursor: Cursor = {
    text,
    depthMax,
    at: 0,
    path: [],
    problem: null,
    member: null,
    number: numberPattern(),
  };
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== "{") {
    return { ok: false, problem: "request body must be a JSON object", member: null };
  }
  const value = readObject(cursor);
  skipSpace(cursor);
  if (value !== FAILED && cursor.at === text.length) return { ok: true, value };
  return { ok: false, problem: cursor.problem ?? syntaxProblem(cursor), member: cursor.member };
}

interface Cursor {
  readonly text: string;
  readonly depthMax: number;
  at: number;
  /** The path of the value that is being read, in parts: `["trade", ".bracket_orders", "[0]"]`. */
  readonly path: string[];
  /** The first problem that is not bad syntax; null when there is none. */
  problem: string | null;
  /** The rejected member; null when there is no problem, or when the problem does not concern a member. */
  member: MemberProblem | null;
  readonly number: RegExp;
}

const FAILED = Symbol("failed");
type Failed = typeof FAILED;

const numberPattern = (): RegExp => /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

const KEY_CHARACTERS_SHOWN = 64;

function syntaxProblem(cursor: Cursor): string {
  return `request body is not valid JSON at character ${cursor.at}`;
}

function fail(cursor: Cursor, problem: string): Failed {
  cursor.problem ??= problem;
  return FAILED;
}

function failMember(cursor: Cursor, text: string): Failed {
  const path = cursor.path.join("");
  cursor.member = { path, text };
  return fail(cursor, `'${path}' ${text}`);
}

function skipSpace(cursor: Cursor): void {
  while (" \t\n\r".includes(cursor.text[cursor.at] ?? "x")) cursor.at += 1;
}

/** Skips white space, and this character when it comes next. Returns false when it does not come next. */
function skipCharacter(cursor: Cursor, character: string): boolean {
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== character) return false;
  cursor.at += 1;
  return true;
}

function readValue(cursor: Cursor): JsonValue | Failed {
  skipSpace(cursor);
  switch (cursor.text.charAt(cursor.at)) {
    case "{":
      return readObject(cursor);
    case "[":
      return readArray(cursor);
    case '"':
      return readString(cursor);
    case "t":
      return readWord(cursor, "true", true);
    case "f":
      return readWord(cursor, "false", false);
    case "n":
      return readWord(cursor, "null", null);
    default:
      return readNumber(cursor);
  }
}

function readWord<Value>(cursor: Cursor, word: string, value: Value): Value | Failed {
  if (!cursor.text.startsWith(word, cursor.at)) return fail(cursor, syntaxProblem(cursor));
  cursor.at += word.length;
  return value;
}

function readNumber(cursor: Cursor): number | Failed {
  cursor.number.lastIndex = cursor.at;
  const digits = cursor.number.exec(cursor.text)?.[0];
  if (digits === undefined) return fail(cursor, syntaxProblem(cursor));
  cursor.at += digits.length;
  const value = Number(digits);
  return Number.isFinite(value) ? value : failMember(cursor, "must be a finite number");
}

function readString(cursor: Cursor): string | Failed {
  const { text, at: start } = cursor;
  let escaped = false;
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    if (text[at] === "\\") {
      escaped = true;
      at += 1;
    }
    at += 1;
  }
  if (at >= text.length) {
    cursor.at = text.length;
    return fail(cursor, syntaxProblem(cursor));
  }
  cursor.at = at + 1;
  const inside = text.slice(start + 1, at);
  if (!escaped && !CONTROL.test(inside)) return inside;
  return unescapeQuoted(text.slice(start, at + 1)) ?? fail(cursor, badStringProblem(start));
}

function badStringProblem(start: number): string {
  return `request body is not valid JSON: bad string at character ${start}`;
}

const CONTROL = /[^\u0020-\uffff]/;

/** The text between quotes without its escapes. Null when it contains a bad escape or a control character. */
function unescapeQuoted(quoted: string): string | null {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return null;
  }
}

function entersTooDeep(cursor: Cursor): boolean {
  return cursor.path.length >= cursor.depthMax;
}

function failTooDeep(cursor: Cursor): Failed {
  return fail(
    cursor,
    `request body is nested more than ${cursor.depthMax} levels deep at character ${cursor.at}`,
  );
}

function readArray(cursor: Cursor): readonly JsonValue[] | Failed {
  if (entersTooDeep(cursor)) return failTooDeep(cursor);
  cursor.at += 1;
  const items: JsonValue[] = [];
  if (skipCharacter(cursor, "]")) return items;
  do {
    cursor.path.push(`[${items.length}]`);
    const item = readValue(cursor);
    if (item === FAILED) return FAILED;
    cursor.path.pop();
    items.push(item);
  } while (skipCharacter(cursor, ","));
  return skipCharacter(cursor, "]") ? items : fail(cursor, syntaxProblem(cursor));
}

function readObject(cursor: Cursor): JsonObject | Failed {
  if (entersTooDeep(cursor)) return failTooDeep(cursor);
  cursor.at += 1;
  const members: Record<string, JsonValue> = Object.create(null);
  if (skipCharacter(cursor, "}")) return members;
  do {
    const key = readKey(cursor);
    if (key === FAILED) return FAILED;
    cursor.path.push(cursor.path.length === 0 ? truncateKey(key) : `.${truncateKey(key)}`);
    if (Object.hasOwn(members, key)) return failMember(cursor, "is given twice");
    const value = readValue(cursor);
    if (value === FAILED) return FAILED;
    cursor.path.pop();
    members[key] = value;
  } while (skipCharacter(cursor, ","));
  return skipCharacter(cursor, "}") ? members : fail(cursor, syntaxProblem(cursor));
}

function readKey(cursor: Cursor): string | Failed {
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== '"') return fail(cursor, syntaxProblem(cursor));
  const key = readString(cursor);
  if (key === FAILED) return FAILED;
  return skipCharacter(cursor, ":") ? key : fail(cursor, syntaxProblem(cursor));
}

function truncateKey(key: string): string {
  return key.length <= KEY_CHARACTERS_SHOWN ? key : `${key.slice(0, KEY_CHARACTERS_SHOWN)}…`;
}
