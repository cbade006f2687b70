import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertySettings } from "../../../../../../test/environment/depth.ts";
import { createJsonSplitter } from "./json-splitter.ts";
import {
  createNdjsonSplitter,
  QUOTE_BYTES_MAX,
  type QuoteTextReports,
  type QuoteTextSplitter,
  skipByteOrderMark,
} from "./quote-text-splitter.ts";

type Form = (reports: QuoteTextReports) => QuoteTextSplitter;

/** The texts that are found in a body that arrives in these chunks. */
function found(form: Form, pieces: readonly string[]): readonly string[] {
  const heard: string[] = [];
  const texts = form({
    quote: (text, line) => heard.push(`${line} ${text.trim()}`),
    tooLong: (line) => heard.push(`${line} too long`),
    torn: (line) => heard.push(`${line} torn`),
  });
  for (const piece of pieces) texts.write(Buffer.from(piece, "latin1"));
  texts.end();
  return heard;
}

const MARK = "\u00ef\u00bb\u00bf";

test.each([
  ["lines", createNdjsonSplitter],
  ["JSON", createJsonSplitter],
] as const)("a byte order mark before %s is skipped, however the body arrives", (_name, form) => {
  const skipping: Form = (reports) => skipByteOrderMark(form(reports));
  const body = `${MARK}{"a":1}`;
  for (let at = 0; at <= body.length; at += 1) {
    expect(found(skipping, [body.slice(0, at), body.slice(at)])).toEqual(['1 {"a":1}']);
  }
  expect(found(skipping, [MARK])).toEqual([]);
  expect(found(skipping, [])).toEqual([]);
  expect(found(skipping, ["12"])).toEqual(["1 12"]);
  expect(found(skipping, [`${MARK}${MARK}12`])).not.toEqual(["1 12"]);
});

const LONG = `{"x":"${"y".repeat(QUOTE_BYTES_MAX)}"}`;

const NDJSON: readonly (readonly [body: string, heard: readonly string[]])[] = [
  ["", []],
  ['{"a":1}', ['1 {"a":1}']],
  ['{"a":1}\n{"a":2}\n', ['1 {"a":1}', '2 {"a":2}']],
  ['{"a":1}\r\n\r\n \n{"a":2}', ['1 {"a":1}', '4 {"a":2}']],
  ['{"a":1}\n{"a":', ['1 {"a":1}', '2 {"a":']],
  [`{"a":1}\n${LONG}\n{"a":2}`, ['1 {"a":1}', "2 too long", '3 {"a":2}']],
  [LONG, ["1 too long"]],
];

const JSON_BODIES: readonly (readonly [body: string, heard: readonly string[]])[] = [
  ["", []],
  [" ", []],
  ["[]", []],
  [' [ {"a":1} ] ', ['1 {"a":1}']],
  ['{"a":1}', ['1 {"a":1}']],
  ['{"a":[1,{"b":"}]\\"{"}]}', ['1 {"a":[1,{"b":"}]\\"{"}]}']],
  ['[{"a":1},{"a":2}]', ['1 {"a":1}', '2 {"a":2}']],
  [
    '[{"a":1},5,"x,]",null,[1],{"a":2}]',
    ['1 {"a":1}', "2 5", '3 "x,]"', "4 null", "5 [1]", '6 {"a":2}'],
  ],
  ['[{"a":1},{"a":', ['1 {"a":1}', "2 torn"]],
  ['[{"a":1}', ['1 {"a":1}', "2 torn"]],
  ['[{"a":1}{"a":2}]', ['1 {"a":1}', "2 torn"]],
  ['[{"a":1},]', ['1 {"a":1}', "2 torn"]],
  ["[,]", ["1 torn"]],
  ['{"a":1}{"a":2}', ['1 {"a":1}', "2 torn"]],
  ["12", ["1 12"]],
  [`[{"a":1},${LONG},{"a":2}]`, ['1 {"a":1}', "2 too long", '3 {"a":2}']],
  ['["', ["1 torn"]],
];

describe("the texts of quotes", () => {
  test.each(NDJSON)("the texts of quotes are found in the lines %j", (body, heard) => {
    expect(found(createNdjsonSplitter, [body])).toEqual(heard);
  });

  test.each(JSON_BODIES)("the texts of quotes are found in the JSON %j", (body, heard) => {
    expect(found(createJsonSplitter, [body])).toEqual(heard);
  });

  test.each([
    ["NDJSON", createNdjsonSplitter, NDJSON],
    ["JSON", createJsonSplitter, JSON_BODIES],
  ] as const)(
    "quotes have the same texts wherever %s is cut into pieces",
    (_name, form, bodies) => {
      const body = fc.constantFrom(...bodies);
      const cuts = fc.array(fc.nat(2_000), { maxLength: 12 });
      fc.assert(
        fc.property(body, cuts, ([text, heard], at) => {
          const places = [0, ...at.map((one) => one % (text.length + 1)).toSorted((a, b) => a - b)];
          const pieces = places.map((from, index) => text.slice(from, places[index + 1]));
          expect(found(form, pieces)).toEqual(heard);
        }),
        propertySettings(500),
      );
    },
  );
});
