import { describe, expect, test } from "vitest";
import { type PythonValue, pythonRepr } from "./python-repr.ts";

describe("the repr of a Python value", () => {
  // The right column is the output of CPython 3 for the same value.
  test.each<[string, PythonValue, string]>([
    ["None and the booleans", [null, true, false], "[None, True, False]"],
    ["a float without decimals", 5, "5.0"],
    ["a float with decimals", 0.30000000000000004, "0.30000000000000004"],
    ["the smallest float without an exponent", 0.0001, "0.0001"],
    ["a small float", 0.00001, "1e-05"],
    ["a small float with digits", 0.0000123, "1.23e-05"],
    ["the largest float without an exponent", 1234567890123456, "1234567890123456.0"],
    ["a large float", 1e16, "1e+16"],
    ["a very large float", 1.5e300, "1.5e+300"],
    ["negative zero", -0, "-0.0"],
    ["values that are not finite", [Number.NaN, Infinity, -Infinity], "[nan, inf, -inf]"],
    ["an int", 1795413970822n, "1795413970822"],
    ["a single quote in double quotes", "it's", `"it's"`],
    ["a double quote in single quotes", 'say "a"', `'say "a"'`],
    ["both quotes", `it's "a"`, `'it\\'s "a"'`],
    ["a backslash", "a\\b", "'a\\\\b'"],
    ["newline, return and tab", "a\nb\rc\td", "'a\\nb\\rc\\td'"],
    ["other control characters", "\u0000\u001b\u007f", "'\\x00\\x1b\\x7f'"],
    ["characters below 256 that do not print", "\u0085\u00a0\u00ad", "'\\x85\\xa0\\xad'"],
    ["characters that do not print", "\u200b\u2028\ufeff", "'\\u200b\\u2028\\ufeff'"],
    ["a character beyond the first plane that does not print", "\u{e0001}", "'\\U000e0001'"],
    ["characters that print", "é Ω 日 😀", "'é Ω 日 😀'"],
    ["a lone surrogate", "\ud800", "'\\ud800'"],
    ["an empty dict and list", { a: {}, b: [] }, "{'a': {}, 'b': []}"],
    ["a dict in a list", [{ "it's": 1n }], `[{"it's": 1}]`],
  ])("pythonRepr prints as Python does: %s", (_, value, expected) => {
    expect(pythonRepr(value)).toBe(expected);
  });
});
