import { expect, test } from "vitest";
import { printableAnswer } from "./webhook-answer.ts";

test.each([
  ["an answer of one line", '{"ok": true}', '{"ok": true}'],
  ["line ends and tabs", "a\r\n\tb\n", "a b"],
  ["control and invisible characters", "a\u0000b\u001b[31mc\u200bd\ufeffe\u202ef", "ab[31mcdef"],
  ["a webhook's secret", 'got "whsec_AbC+/9=" as key', 'got "***" as key'],
  ["a webhook's secret with escaped slashes", '{"s":"whsec_a\\/b\\u002bc"}', '{"s":"***"}'],
  ["a key's secret", "key propgate_sk_aB3_-xyz, wrong", "key *** wrong"],
  ["a bearer token", "authorization: Bearer  a.b.c end", "authorization: *** end"],
  ["a secret behind an invisible character", "wh\ufeffsec_abc Bearer \u200b abc", "*** ***"],
  ["a secret that the cut divides", `${"x".repeat(504)}whsec_abc`, `${"x".repeat(504)}***`],
  ["a character that the cut divides", `${"x".repeat(511)}é`, "x".repeat(511)],
  ["more than 512 bytes", "y".repeat(600), "y".repeat(512)],
  ["no bytes", "", ""],
])("an answer of %s keeps only what is fit for a page", (_title, text, shown) => {
  expect(printableAnswer(Buffer.from(text))).toBe(shown);
});
