import { describe, expect, test } from "vitest";
import { createRedactor, passwordsOf } from "./redact.ts";

const RANDOM = `${"aB3_-".repeat(8)}xyz`;
const SIGNATURE = `v1=${"Ab+/".repeat(10)}abc=`;

describe("the redactor removes every secret from a text [D8.sealed]", () => {
  test.each([
    [`the key propgate_sk_${RANDOM}0a1B2c, or`, "the key [redacted], or"],
    [`propgate_sk_${RANDOM}, cut off`, "[redacted], cut off"],
    [String.raw`a line\npropgate_op_${RANDOM}0a1B2c"`, String.raw`a line\n[redacted]"`],
    [`{"secret":"whsec_${"aB3/".repeat(10)}abc="}`, '{"secret":"[redacted]"}'],
    ["the prefix propgate_sk_ alone", "the prefix propgate_sk_ alone"],
    [`{"signature":"${SIGNATURE}"}`, '{"signature":"v1=[redacted]"}'],
    ["authorization: Bearer op-123/4+5=", "authorization: Bearer [redacted]"],
    ["at postgres://u:p@ss@h:5432/d now", "at postgres://[redacted]@h:5432/d now"],
    ["at https://u@h/x", "at https://[redacted]@h/x"],
    ["at https://h/x?mail=a@b", "at https://h/x?mail=a@b"],
    ["propgate_sk_short and v1=short", "propgate_sk_short and v1=short"],
  ])("the text is redacted: %s", (text, redacted) => {
    expect(createRedactor([])(text)).toBe(redacted);
  });

  test("known secrets are removed in each of their spellings, the longest first", () => {
    const redact = createRedactor(['pa"ss', 'pa"ss-and-more', "", "abc"]);
    expect(redact('pa"ss-and-more, pa"ss, pa\\"ss, pa%22ss, abc')).toBe(
      "[redacted], [redacted], [redacted], [redacted], abc",
    );
  });

  test.each([
    ["postgres://u:p%40ss@h/d", ["p%40ss", "p@ss"]],
    ["postgres://u:p%zz@h/d", ["p%zz"]],
    ["postgres://u@h/d", []],
    ["postgres://h/d", []],
  ])("passwordsOf finds the password of %s", (url, passwords) => {
    expect(passwordsOf(url)).toEqual(passwords);
  });
});
