import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryCharacter } from "../../../../test/environment/arbitrary-character.ts";
import { propertySettings } from "../../../../test/environment/depth.ts";
import { type JsonReading, readJsonObject } from "./json-body.ts";

const problemOf = (text: string): string | null => {
  const reading: JsonReading = readJsonObject(text);
  return reading.ok ? null : reading.problem;
};

describe("an ambiguous or invalid body is rejected with its place [D2.json] [D2.body]", () => {
  test.each([
    ["nothing", "", "request body must be a JSON object"],
    ["a list", "[]", "request body must be a JSON object"],
    ["a text", '"a"', "request body must be a JSON object"],
    ["null", "null", "request body must be a JSON object"],
    ["a byte order mark", "\uFEFF{}", "request body must be a JSON object"],
    ["a key twice", '{"a":1,"a":1}', "'a' is given twice"],
    ["a key twice, once escaped", '{"a":1,"\\u0061":2}', "'a' is given twice"],
    ["__proto__ twice", '{"__proto__":1,"__proto__":2}', "'__proto__' is given twice"],
    [
      "a key twice inside",
      '{"trade":{"legs":[{"a":1},{"b":1,"b":2}]}}',
      "'trade.legs[1].b' is given twice",
    ],
    ["1e999", '{"trade":{"value":1e999}}', "'trade.value' must be a finite number"],
    ["-1e999 in a list", '{"a":[0,-1e999]}', "'a[1]' must be a finite number"],
    ["NaN", '{"a":NaN}', "request body is not valid JSON at character 5"],
    ["Infinity", '{"a":Infinity}', "request body is not valid JSON at character 5"],
    ["leading zero", '{"a":01}', "request body is not valid JSON at character 6"],
    ["leading plus", '{"a":+1}', "request body is not valid JSON at character 5"],
    ["bare point", '{"a":.5}', "request body is not valid JSON at character 5"],
    ["point at the end", '{"a":5.}', "request body is not valid JSON at character 6"],
    ["trailing comma", '{"a":1,}', "request body is not valid JSON at character 7"],
    ["trailing comma in a list", '{"a":[1,]}', "request body is not valid JSON at character 8"],
    ["no colon", '{"a" 1}', "request body is not valid JSON at character 5"],
    ["key without quotes", "{a:1}", "request body is not valid JSON at character 1"],
    ["single quotes", "{'a':1}", "request body is not valid JSON at character 1"],
    ["a comment", "{/**/}", "request body is not valid JSON at character 1"],
    ["cut off", '{"a":1', "request body is not valid JSON at character 6"],
    ["cut off in a string", '{"a', "request body is not valid JSON at character 3"],
    ["cut off behind a backslash", '{"a\\', "request body is not valid JSON at character 4"],
    ["something behind", "{} {}", "request body is not valid JSON at character 3"],
    ["a wrong word", '{"a":nul}', "request body is not valid JSON at character 5"],
    ["no-break space", '{\u00A0"a":1}', "request body is not valid JSON at character 1"],
    ["a bad escape", '{"a":"\\x"}', "request body is not valid JSON: bad string at character 5"],
    [
      "a bare line feed in a string",
      '{"a":"x\ny"}',
      "request body is not valid JSON: bad string at character 5",
    ],
  ])("the body is rejected: %s", (_, text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  test("keys that every object inherits are read as ordinary keys", () => {
    const reading = readJsonObject('{"__proto__":{"x":1},"constructor":2,"toString":3}');
    expect(reading.ok && Object.keys(reading.value)).toEqual([
      "__proto__",
      "constructor",
      "toString",
    ]);
    expect(reading.ok && Object.getPrototypeOf(reading.value)).toBe(null);
    expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
  });

  test.each([
    [`${'{"a":'.repeat(16)}1${"}".repeat(16)}`, null],
    [
      `${'{"a":'.repeat(17)}1${"}".repeat(17)}`,
      "request body is nested more than 16 levels deep at character 80",
    ],
    [
      `{"a":${"[".repeat(60_000)}`,
      "request body is nested more than 16 levels deep at character 20",
    ],
  ])("nesting is bounded, case %#", (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  test("a problem shows only the start of a very long key", () => {
    const key = "k".repeat(10_000);
    expect(problemOf(`{"${key}":1,"${key}":2}`)).toBe(`'${"k".repeat(64)}…' is given twice`);
  });
});

describe("every other body is read as JSON.parse reads it", () => {
  const property = propertySettings(2_500);
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5, depthSize: "medium" }));

  test("objects with any whitespace are read", () => {
    fc.assert(
      fc.property(object, fc.constantFrom(0, 1, "\t", "\r\n"), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const reading = readJsonObject(text);
        expect(reading.ok && JSON.stringify(reading.value)).toBe(JSON.stringify(JSON.parse(text)));
      }),
      property,
    );
  });

  test("a valid body with one changed character is rejected when JSON.parse rejects it", () => {
    const body = '{"trade":{"value":-1.5e3,"legs":[true,null,"a\\u00e9\\n"],"z":{}}}';
    fc.assert(
      fc.property(
        fc.nat(body.length - 1),
        fc.constantFrom(...Array.from('{}[]",:\\0-+.eE \n\u0001tnx')),
        (at, by) => {
          const text = body.slice(0, at) + by + body.slice(at + 1);
          expect(readJsonObject(text).ok).toBe(isJsonObject(text));
        },
      ),
      propertySettings(10_000),
    );
  });

  test("no text makes the reader throw", () => {
    fc.assert(
      fc.property(fc.string({ unit: arbitraryCharacter }), (text) => {
        expect(readJsonObject(`{${text}`).ok).toBe(isJsonObject(`{${text}`));
      }),
      property,
    );
  });
});

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
