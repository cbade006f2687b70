import { describe, expect, test } from "vitest";
import { passwordsOf, redactor } from "./redact.ts";

const SECRET = `sk_${"aB3_-".repeat(8)}xyz`;
const SIGNATURE = `v1=${"Ab+/".repeat(10)}abc=`;

describe("what is written down holds no secret [D8.sealed]", () => {
  test.each([
    [`the key ${SECRET}, or`, "the key [redacted], or"],
    [`{"signature":"${SIGNATURE}"}`, '{"signature":"v1=[redacted]"}'],
    ["authorization: Bearer op-123/4+5=", "authorization: Bearer [redacted]"],
    ["at postgres://u:p@ss@h:5432/d now", "at postgres://[redacted]@h:5432/d now"],
    ["at https://u@h/x", "at https://[redacted]@h/x"],
    ["at https://h/x?mail=a@b", "at https://h/x?mail=a@b"],
    ["sk_short and v1=short", "sk_short and v1=short"],
  ])("%s", (text, told) => {
    expect(redactor([])(text)).toBe(told);
  });

  test("known secrets go in each of their spellings, the longest first", () => {
    const redact = redactor(['pa"ss', 'pa"ss-and-more', "", "abc"]);
    expect(redact('pa"ss-and-more, pa"ss, pa\\"ss, pa%22ss, abc')).toBe(
      "[redacted], [redacted], [redacted], [redacted], abc",
    );
  });

  test.each([
    ["postgres://u:p%40ss@h/d", ["p%40ss", "p@ss"]],
    ["postgres://u:p%zz@h/d", ["p%zz"]],
    ["postgres://u@h/d", []],
    ["postgres://h/d", []],
  ])("the password of %s", (url, passwords) => {
    expect(passwordsOf(url)).toEqual(passwords);
  });
});
