import { OPERATOR_BODIES, type OperatorCallName } from "@propgate/contract";
import { expect, test } from "vitest";
import { typedError } from "./operator/call-fields.ts";
import { TYPED_FIELDS } from "./typed-fields.ts";

/** Calls whose body is a document: their errors name a path in its file, not an option. */
const DOCUMENTS: ReadonlySet<string> = new Set([
  "programs.add",
  "programs.validate",
  "catalogue.validate",
]);

test("every field of a call's body has an option or an argument that its errors name", () => {
  const missing = Object.entries(OPERATOR_BODIES)
    .filter(([name]) => !DOCUMENTS.has(name))
    .flatMap(([name, { json }]) => {
      const typed: Readonly<Record<string, string>> = TYPED_FIELDS[name as OperatorCallName] ?? {};
      const fields = Object.keys((json as { readonly properties?: object }).properties ?? {});
      return fields.filter((field) => typed[field] === undefined).map((one) => `${name} ${one}`);
    });
  expect(missing).toEqual([]);
});

test.each([
  ["tokens.add", "expiresInHours", ": must be whole hours", "--expires"],
  ["keys.create", "addresses[0]", ": is no block", "--address[0]"],
  [
    "accounts.list",
    "nearestUsedOfLimitPctMin",
    ": is no number",
    "--nearest-used-of-limit-pct-min",
  ],
  ["accounts.list", "endedAtMsMin", ": is no time", "--ended-at-min"],
  ["exposure", "by", ": must be pair", "--by"],
  ["accounts.get", "id", ": is no uuid", "<account-id>"],
  ["programs.add", "steps[0].target", ": must be above 0", "steps[0].target"],
] as const)("an error of %s about %s names the typed option", (name, field, rest, typed) => {
  expect(typedError(name, { error: `${field}${rest}`, field })).toBe(`${typed}${rest}`);
});

test("an error without a field keeps its words", () => {
  const error = "A token with this name exists";
  expect(typedError("tokens.add", { error, field: null })).toBe(error);
});
