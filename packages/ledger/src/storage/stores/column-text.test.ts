import { describe, expect, test } from "vitest";
import { decodeColumn, encodeParameter } from "./column-text.ts";

const TEXT_ARRAY = 1009;
const BYTEA = 17;
const BIGINT = 20;

describe("values as PostgreSQL writes them", () => {
  test.each([
    ["text", "text"],
    [1.5, "1.5"],
    [9007199254740993n, "9007199254740993"],
    [true, "t"],
    [null, null],
    [new Uint8Array([0, 171]), "\\x00ab"],
    [[1, null, 2], "{1,NULL,2}"],
    [
      ["a", 'say "no"', "back\\slash", "", "NULL"],
      '{"a","say \\"no\\"","back\\\\slash","","NULL"}',
    ],
    [["plain", "two,", "é"], '{"plain","two,","é"}'],
    [["line\n", 'say "no"'], '{"line\n","say \\"no\\""}'],
    [[true, false], "{true,false}"],
    [[1.5, Number.NaN], "{1.5,NaN}"],
    [[9007199254740993n], '{"9007199254740993"}'],
    [[], "{}"],
  ])("%o is sent as %s", (value, text) => {
    expect(encodeParameter(value)).toBe(text);
  });

  test.each([undefined, { a: 1 }, () => 1])("%s is no valid parameter and throws", (value) => {
    expect(() => encodeParameter(value)).toThrow(/broken invariant/);
  });

  test("a list of strings is read as it was written, quotes, commas and line feeds included", () => {
    const texts = [
      "a",
      'say "no"',
      "back\\slash",
      "",
      "a,b",
      "{}",
      "two\nlines",
      'tab\t"',
      '\u{1f4c8} \\ "',
      'é\u007f"',
      "NULL",
    ];
    expect(decodeColumn(encodeParameter(texts) ?? "", TEXT_ARRAY)).toEqual(texts);
  });

  test("bytes are read as bytes, bigint as text", () => {
    expect(decodeColumn("\\x00ff", BYTEA)).toEqual(Buffer.from([0, 255]));
    expect(decodeColumn("9007199254740993", BIGINT)).toBe("9007199254740993");
  });
});
