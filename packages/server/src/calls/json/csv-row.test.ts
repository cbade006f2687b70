import { expect, test } from "vitest";
import { csvRow } from "./csv-row.ts";

test.each([
  ["a text", "a text"],
  ['say "no", twice', '"say ""no"", twice"'],
  ["two\nlines", '"two\nlines"'],
  ["=1+1", "'=1+1"],
  ["-1", "'-1"],
  ["\ttab", "'\ttab"],
  [-1.5, "-1.5"],
  [null, ""],
  ["", ""],
])("a cell of CSV with %j is %j, so that no spreadsheet evaluates a text", (value, cell) => {
  expect(csvRow([value, "end"])).toBe(`${cell},end\r\n`);
});
