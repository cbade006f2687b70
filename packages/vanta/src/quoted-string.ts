/**
 * `json`: RFC 8259. `python`: what Python's `repr` writes for None, True, False, int, float, str, list, tuple and
 * dict with string keys.
 */
export type Dialect = "json" | "python";

/** `at` is the index of the character after the closing quote, or of the problem. */
export type QuotedReading =
  | { readonly ok: true; readonly value: string; readonly at: number }
  | { readonly ok: false; readonly problem: string; readonly at: number };

/** Reads the string that begins with the quote at `start`, with the escapes of the dialect. */
export function readQuoted(text: string, start: number, dialect: Dialect): QuotedReading {
  const quote = text.charCodeAt(start);
  const parts: string[] = [];
  let from = start + 1;
  for (let at = from; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      parts.push(text.slice(from, at));
      return finished(parts.length === 1 ? (parts[0] ?? "") : parts.join(""), start, at + 1);
    }
    if (code < FIRST_PRINTABLE) return { ok: false, problem: "a control character", at };
    if (code !== BACKSLASH) {
      at += 1;
      continue;
    }
    const escaped = readEscape(text, at, dialect);
    if (!escaped.ok) return escaped;
    parts.push(text.slice(from, at), escaped.value);
    at = escaped.at;
    from = at;
  }
  return { ok: false, problem: "a string is not closed", at: start };
}

const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const CODE_POINT_MAX = 0x10_ff_ff;
const BYTE_MAX = 0xff;

/** The letter after the backslash, and the character that the two mean together. */
const LETTERS: Readonly<Record<Dialect, ReadonlyMap<string, string>>> = {
  json: new Map([
    ['"', '"'],
    ["\\", "\\"],
    ["/", "/"],
    ["b", "\b"],
    ["f", "\f"],
    ["n", "\n"],
    ["r", "\r"],
    ["t", "\t"],
  ]),
  python: new Map([
    ["'", "'"],
    ['"', '"'],
    ["\\", "\\"],
    ["a", "\x07"],
    ["b", "\b"],
    ["f", "\f"],
    ["n", "\n"],
    ["r", "\r"],
    ["t", "\t"],
    ["v", "\v"],
  ]),
};

/** The letter after the backslash, and how many hexadecimal digits of a code point follow it. */
const HEX_DIGITS: Readonly<Record<Dialect, ReadonlyMap<string, number>>> = {
  json: new Map([["u", 4]]),
  python: new Map([
    ["x", 2],
    ["u", 4],
    ["U", 8],
  ]),
};

function finished(value: string, start: number, at: number): QuotedReading {
  return value.isWellFormed()
    ? { ok: true, value, at }
    : { ok: false, problem: "a string is not valid Unicode", at: start };
}

/** Reads the escape whose backslash is at `at`. */
function readEscape(text: string, at: number, dialect: Dialect): QuotedReading {
  const letter = text.charAt(at + 1);
  const value = LETTERS[dialect].get(letter);
  if (value !== undefined) return { ok: true, value, at: at + 2 };
  const digits = HEX_DIGITS[dialect].get(letter);
  if (digits !== undefined) return readHex(text, at, digits);
  if (dialect === "python" && /^[0-7]/.test(letter)) return readOctal(text, at);
  if (dialect === "python" && letter === "N") {
    return { ok: false, problem: "an escape by a character's name is not supported", at };
  }
  return { ok: false, problem: "invalid escape", at };
}

function readHex(text: string, at: number, count: number): QuotedReading {
  const end = at + 2 + count;
  const digits = text.slice(at + 2, end);
  const code = Number.parseInt(digits, 16);
  if (digits.length < count || !/^[0-9a-fA-F]+$/.test(digits) || code > CODE_POINT_MAX) {
    return { ok: false, problem: "invalid escape", at };
  }
  return { ok: true, value: String.fromCodePoint(code), at: end };
}

/** Reads an escape of one to three octal digits. */
function readOctal(text: string, at: number): QuotedReading {
  const digits = /^[0-7]+/.exec(text.slice(at + 1, at + 4))?.[0] ?? "";
  const code = Number.parseInt(digits, 8);
  return code <= BYTE_MAX
    ? { ok: true, value: String.fromCodePoint(code), at: at + 1 + digits.length }
    : { ok: false, problem: "invalid escape", at };
}
