import fc from "fast-check";
import { arbitraryCharacter } from "../../test/environment/arbitrary-character.ts";

/** The path to a value in a JSON document: property names and array indexes from the outside to the inside. */
export type JsonPath = readonly (string | number)[];

/** The paths of all values within a document, parents before their children. */
export function jsonPathsOf(value: unknown, path: JsonPath = []): readonly JsonPath[] {
  const inside = Object.entries(typeof value === "object" && value !== null ? value : {});
  return inside.flatMap(([name, one]) => {
    const inner = [...path, Array.isArray(value) ? Number(name) : name];
    return [inner, ...jsonPathsOf(one, inner)];
  });
}

/** The document with another value at the path. The value `undefined` removes a property from the JSON text. */
export function withValueAt(document: unknown, path: JsonPath, value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(document)) {
    const items: readonly unknown[] = document;
    return items.map((one, at) => (at === name ? withValueAt(one, rest, value) : one));
  }
  const entries = Object.entries(typeof document === "object" && document !== null ? document : {});
  return Object.fromEntries(
    entries.map(([key, one]) => [key, key === name ? withValueAt(one, rest, value) : one]),
  );
}

/** True when the value at the path is not an object or an array. */
export function isScalarAt(document: unknown, path: JsonPath): boolean {
  const value = path.reduce<unknown>((inside, part) => Object(inside)[part], document);
  return typeof value !== "object" || value === null;
}

/** Numbers at the limits of doubles or of fields, and random ones. */
const numbers = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 0.1, 5e-324, 1e-12, 1e9, 1e9 + 1, 2 ** 53, 1e22, 1e300, -1e300),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);
const texts = fc.oneof(
  fc.constantFrom("", " ", "0", "ALL", "LONG", "__proto__", "constructor", "\u0000", "\ud800"),
  fc.constantFrom("💥", "\u202e", "../..", "a,b", "'; drop table keys; --", "x".repeat(5_000)),
  fc.string({ unit: arbitraryCharacter, maxLength: 40 }),
  fc.uuid(),
);

/** Any JSON value; values that are hard to handle are frequent. */
export const anyJsonValue: fc.Arbitrary<unknown> = fc.oneof(
  numbers,
  texts,
  fc.constantFrom(null, true, false, [], {}, [[]], [{}], [null], { "": 0 }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A value that is neither a string nor a number. */
export const notStringOrNumber: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  true,
  false,
  [],
  {},
  [1],
  ["x"],
  { x: 1 },
  [[]],
);

/** The text of a document with an edit that a careless or hostile client could make. */
export function editedJsonText(text: string): fc.Arbitrary<string> {
  const at = fc.nat({ max: Math.max(0, text.length - 1) });
  const nasty = fc.constantFrom(
    "NaN",
    "Infinity",
    "-",
    "1e999",
    "-1e999",
    "0x10",
    "01",
    ".5",
    "1.",
    "undefined",
    "\ufeff",
    "\\ud800",
    '"\\ud800"',
    "\u0000",
    "[",
    "{",
    "]",
    "}",
    '"',
    ",",
    ":",
    "//",
    "/**/",
    "'",
  );
  const deep = fc.integer({ min: 1, max: 20_000 });
  return fc.oneof(
    at.map((end) => text.slice(0, end)),
    fc
      .tuple(at, nasty)
      .map(([place, inserted]) => text.slice(0, place) + inserted + text.slice(place)),
    fc
      .tuple(at, nasty)
      .map(([place, inserted]) => text.slice(0, place) + inserted + text.slice(place + 1)),
    fc.tuple(at, at).map(([from, to]) => text.slice(0, from) + text.slice(to)),
    fc.constantFrom(`\ufeff${text}`, text + text, `[${text}]`, JSON.stringify(text), ` ${text}\n`),
    deep.map((depth) => `${'{"trade":'.repeat(depth)}1${"}".repeat(depth)}`),
    deep.map((depth) => `${"[".repeat(depth)}${"]".repeat(depth)}`),
    fc.integer({ min: 1, max: 300 }).map((digits) => text.replace(/\d/, "9".repeat(digits))),
    withRepeatedKey(text),
  );
}

/** The text with one key repeated. The first occurrence of the key has another value. */
function withRepeatedKey(text: string): fc.Arbitrary<string> {
  const keys = [...text.matchAll(/"[^"]+":/g)];
  return fc
    .tuple(fc.nat({ max: Math.max(0, keys.length - 1) }), fc.constantFrom("1", '"x"', "null", "{}"))
    .map(([index, value]) => {
      const key = keys[index];
      if (key === undefined) return text;
      return `${text.slice(0, key.index)}${key[0]}${value},${text.slice(key.index)}`;
    });
}
