import { type Dialect, readQuoted } from "./quoted-string.ts";

/** A parsed value of JSON or of a Python literal; every number is finite. */
export type Literal = null | boolean | number | string | readonly Literal[] | LiteralRecord;

/** An object without a prototype, so `__proto__` and `constructor` are ordinary keys. */
export interface LiteralRecord {
  readonly [key: string]: Literal;
}

/** True for an object that is neither null nor an array. */
export function isRecord(value: Literal | undefined): value is LiteralRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A parsed value, or why the text was rejected. */
export type LiteralReading =
  | { readonly ok: true; readonly value: Literal }
  | { readonly ok: false; readonly problem: string };

/** The bounds of every text that is parsed. */
export const LITERAL_BOUNDS = {
  depthMax: 32,
  numberCharactersMax: 64,
  /**
   * Numbers, strings, words and containers together. A field with an empty object takes six bytes of the text, and
   * about 200 bytes of memory.
   */
  valuesMax: 500_000,
} as const;

/**
 * Parses one value, in time proportional to the text's length. A tuple becomes an array.
 *
 * Rejects everything that readers may understand differently or that cannot be represented: duplicate keys, numbers
 * that are not finite or have more than 64 characters, more than 32 levels or 500,000 values, strings that are not
 * valid Unicode, and text after the value. The Python dialect also rejects bytes, sets, names, calls such as
 * `datetime(…)`, `<Enum: 1>` and strings that follow each other. Whole numbers above 2^53 are rounded, as in JSON.
 *
 * The problem names its position: `expected ',' or '}' at character 17 ('positions.ab12')`.
 */
export function readLiteral(
  text: string,
  form: { readonly dialect: Dialect; readonly charactersMax: number },
): LiteralReading {
  if (text.length > form.charactersMax) {
    return { ok: false, problem: `text has more than ${form.charactersMax} characters` };
  }
  const cursor = createCursor(text, form.dialect);
  const value = readValue(cursor);
  if (value !== FAILED) skipSpace(cursor);
  if (value === FAILED || cursor.at < text.length) {
    return { ok: false, problem: cursor.problem ?? withPath(cursor, "unexpected text") };
  }
  return { ok: true, value };
}

interface Cursor {
  readonly text: string;
  readonly dialect: Dialect;
  at: number;
  values: number;
  /** The keys and indexes that lead to the value which is being read. */
  readonly path: (string | number)[];
  problem: string | null;
  readonly number: RegExp;
  readonly name: RegExp;
}

function createCursor(text: string, dialect: Dialect): Cursor {
  return {
    text,
    dialect,
    at: 0,
    values: 0,
    path: [],
    problem: null,
    number: /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y,
    name: /-?[A-Za-z_][A-Za-z0-9_.]*/y,
  };
}

const FAILED = Symbol("failed");
type Failed = typeof FAILED;

const WORDS: Readonly<Record<Dialect, ReadonlyMap<string, Literal>>> = {
  json: new Map<string, Literal>([
    ["true", true],
    ["false", false],
    ["null", null],
  ]),
  python: new Map<string, Literal>([
    ["True", true],
    ["False", false],
    ["None", null],
  ]),
};

const NOT_FINITE = /^-?(?:nan|inf|infinity)$/i;
const SHOWN_CHARACTERS_MAX = 64;

function fail(cursor: Cursor, what: string): Failed {
  cursor.problem ??= withPath(cursor, what);
  return FAILED;
}

function withPath(cursor: Cursor, what: string): string {
  const path = cursor.path
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      return index === 0 ? shownText(step) : `.${shownText(step)}`;
    })
    .join("");
  return `${what} at character ${cursor.at}${path === "" ? "" : ` ('${path}')`}`;
}

function shownText(text: string): string {
  return text.length <= SHOWN_CHARACTERS_MAX ? text : `${text.slice(0, SHOWN_CHARACTERS_MAX)}…`;
}

function skipSpace(cursor: Cursor): void {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    cursor.at += 1;
  }
}

/** Skips space, and this character when it comes next. Returns whether it skipped the character. */
function takeCharacter(cursor: Cursor, character: string): boolean {
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== character) return false;
  cursor.at += 1;
  return true;
}

function isQuote(cursor: Cursor, character: string | undefined): boolean {
  return character === '"' || (character === "'" && cursor.dialect === "python");
}

function readValue(cursor: Cursor): Literal | Failed {
  skipSpace(cursor);
  cursor.values += 1;
  if (cursor.values > LITERAL_BOUNDS.valuesMax) {
    return fail(cursor, `more than ${LITERAL_BOUNDS.valuesMax} values`);
  }
  const next = cursor.text[cursor.at];
  if (next === undefined) return fail(cursor, "the text ends where a value is expected");
  if (isQuote(cursor, next)) return readString(cursor);
  if (next === "{") return readRecord(cursor);
  if (next === "[") return readList(cursor);
  if (next === "(" && cursor.dialect === "python") return readTuple(cursor);
  if (next === "<") return fail(cursor, "an object in angle brackets is not a literal");
  return readNumber(cursor) ?? readWord(cursor);
}

/** Reads a number; null when none comes next. */
function readNumber(cursor: Cursor): number | Failed | null {
  cursor.number.lastIndex = cursor.at;
  const digits = cursor.number.exec(cursor.text)?.[0];
  if (digits === undefined) return null;
  if (digits.length > LITERAL_BOUNDS.numberCharactersMax) {
    return fail(cursor, `a number has more than ${LITERAL_BOUNDS.numberCharactersMax} characters`);
  }
  const value = Number(digits);
  if (!Number.isFinite(value)) return fail(cursor, "a number is not finite");
  if (/[0-9A-Za-z_.]/.test(cursor.text.charAt(cursor.at + digits.length))) {
    return fail(cursor, "invalid number");
  }
  cursor.at += digits.length;
  return value;
}

function readWord(cursor: Cursor): Literal | Failed {
  cursor.name.lastIndex = cursor.at;
  const name = cursor.name.exec(cursor.text)?.[0];
  if (name === undefined) return fail(cursor, "expected a value");
  const value = WORDS[cursor.dialect].get(name);
  if (value === undefined) return fail(cursor, nameProblem(cursor, name));
  cursor.at += name.length;
  return value;
}

function nameProblem(cursor: Cursor, name: string): string {
  if (NOT_FINITE.test(name)) return "a number is not finite";
  const next = cursor.text[cursor.at + name.length];
  if (next === "(") return `a call ('${shownText(name)}') is not a literal`;
  if (isQuote(cursor, next)) {
    return /b/i.test(name) ? "bytes are not supported" : "a string with a prefix is not supported";
  }
  return `a name ('${shownText(name)}') is not a literal`;
}

function readString(cursor: Cursor): string | Failed {
  const quoted = readQuoted(cursor.text, cursor.at, cursor.dialect);
  cursor.at = quoted.at;
  if (!quoted.ok) return fail(cursor, quoted.problem);
  if (cursor.dialect === "python") {
    skipSpace(cursor);
    if (isQuote(cursor, cursor.text[cursor.at])) {
      return fail(cursor, "strings that follow each other are not supported");
    }
  }
  return quoted.value;
}

function entersTooDeep(cursor: Cursor): boolean {
  return cursor.path.length >= LITERAL_BOUNDS.depthMax;
}

function tooDeep(cursor: Cursor): Failed {
  return fail(cursor, `more than ${LITERAL_BOUNDS.depthMax} levels`);
}

function readItem(cursor: Cursor, index: number): Literal | Failed {
  cursor.path.push(index);
  const item = readValue(cursor);
  if (item !== FAILED) cursor.path.pop();
  return item;
}

function readList(cursor: Cursor): readonly Literal[] | Failed {
  if (entersTooDeep(cursor)) return tooDeep(cursor);
  cursor.at += 1;
  const items: Literal[] = [];
  if (takeCharacter(cursor, "]")) return items;
  do {
    const item = readItem(cursor, items.length);
    if (item === FAILED) return FAILED;
    items.push(item);
  } while (takeCharacter(cursor, ","));
  return takeCharacter(cursor, "]") ? items : fail(cursor, "expected ',' or ']'");
}

function readTuple(cursor: Cursor): readonly Literal[] | Failed {
  if (entersTooDeep(cursor)) return tooDeep(cursor);
  cursor.at += 1;
  const items: Literal[] = [];
  while (!takeCharacter(cursor, ")")) {
    if (items.length > 1 && !takeCharacter(cursor, ",")) return fail(cursor, "expected ',' or ')'");
    const item = readItem(cursor, items.length);
    if (item === FAILED) return FAILED;
    items.push(item);
    // Brackets around one value are a tuple only with a comma: `(1,)`.
    if (items.length === 1 && !takeCharacter(cursor, ",")) {
      return fail(cursor, "a tuple of one value needs a comma");
    }
  }
  return items;
}

function readRecord(cursor: Cursor): LiteralRecord | Failed {
  if (entersTooDeep(cursor)) return tooDeep(cursor);
  cursor.at += 1;
  const members: Record<string, Literal> = Object.create(null);
  if (takeCharacter(cursor, "}")) return members;
  do {
    skipSpace(cursor);
    if (!isQuote(cursor, cursor.text[cursor.at])) return fail(cursor, "expected a string as key");
    const key = readString(cursor);
    if (key === FAILED) return FAILED;
    if (!takeCharacter(cursor, ":")) return fail(cursor, "expected ':'");
    cursor.path.push(key);
    if (Object.hasOwn(members, key)) return fail(cursor, "duplicate key");
    const value = readValue(cursor);
    if (value === FAILED) return FAILED;
    cursor.path.pop();
    members[key] = value;
  } while (takeCharacter(cursor, ","));
  return takeCharacter(cursor, "}") ? members : fail(cursor, "expected ',' or '}'");
}
