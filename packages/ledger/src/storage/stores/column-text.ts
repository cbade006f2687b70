/**
 * This file converts values to and from PostgreSQL's text form. A PostgreSQL server and the embedded database both use
 * it, so a query has equal rows on both. The constants are the OIDs of PostgreSQL's types.
 */

const BOOL = 16;
const BYTEA = 17;
const INT2 = 21;
const INT4 = 23;
const OID = 26;
const FLOAT4 = 700;
const FLOAT8 = 701;
const BIGINT_ARRAY = 1016;
const INT4_ARRAY = 1007;
const TEXT_ARRAY = 1009;

const NUMBERS: ReadonlySet<number> = new Set([INT2, INT4, OID, FLOAT4, FLOAT8]);

/**
 * The text of a parameter. Null stays null, lists become array literals, bytes become hex. Throws for other objects.
 */
export function encodeParameter(value: unknown): string | null {
  if (value === null || typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (typeof value === "boolean") return value ? "t" : "f";
  if (Array.isArray(value)) return value.length === 0 ? "{}" : encodeArray(value);
  if (value instanceof Uint8Array) return encodeBytes(value);
  throw new Error(`broken invariant: a parameter of an SQL type, not ${typeof value}`);
}

/**
 * The value of a column's text. `typeId` is PostgreSQL's OID of the column's type. Values of bigint and numeric stay
 * text.
 */
export function decodeColumn(text: string, typeId: number): unknown {
  if (NUMBERS.has(typeId)) return Number(text);
  switch (typeId) {
    case BOOL:
      return text === "t";
    case BYTEA:
      return Buffer.from(text.slice(2), "hex");
    case TEXT_ARRAY:
    case BIGINT_ARRAY:
      return decodeArray(text);
    case INT4_ARRAY:
      return decodeArray(text).map(Number);
    default:
      return text;
  }
}

function encodeBytes(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")}`;
}

/** The array literal of a list. When JSON writes every value as PostgreSQL reads it, one call writes the whole list. */
function encodeArray(values: readonly unknown[]): string {
  for (const value of values) {
    const isLikeJson =
      typeof value === "string"
        ? !UNLIKE_JSON.test(value)
        : typeof value === "boolean" || Number.isFinite(value);
    if (!isLikeJson) return `{${values.map(encodeItem).join(",")}}`;
  }
  return `{${JSON.stringify(values).slice(1, -1)}}`;
}

function encodeItem(value: unknown): string {
  if (value instanceof Uint8Array) return `"\\${encodeBytes(value)}"`;
  const text = encodeParameter(value);
  return text === null ? "NULL" : typeof value === "number" ? text : quoted(text);
}

/** Control characters and surrogates, which JSON escapes differently from PostgreSQL. */
const UNLIKE_JSON = /[^\u0020-\ud7ff\ue000-\uffff]/;

/**
 * Puts a text in quotation marks, and a backslash before each quotation mark and backslash in it. `JSON.stringify` does
 * the same in a third of the time of `replaceAll`, so it is used where both agree.
 */
function quoted(text: string): string {
  return UNLIKE_JSON.test(text) ? `"${text.replaceAll(/["\\]/g, "\\$&")}"` : JSON.stringify(text);
}

/** Arrays of the schema have one dimension and no null elements. */
function decodeArray(literal: string): readonly string[] {
  if (literal === "{}") return [];
  const items = literal.slice(1, -1).match(/"(?:[^"\\]|\\.)*"|[^,]+/gs) ?? [];
  return items.map((item) =>
    item.startsWith('"') ? item.slice(1, -1).replaceAll(/\\(.)/gs, "$1") : item,
  );
}
