import { OPERATOR_BODIES, type OperatorCallName } from "@propgate/contract";
import { expect, test } from "vitest";
import { TYPED_FIELDS, typedError } from "./typed-fields.ts";

/** Their errors name a path in the file. */
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
  ["tokens.add", "expiresInHours: must be whole hours", "--expires: must be whole hours"],
  ["keys.create", "addresses[0]: is no block", "--address[0]: is no block"],
  ["tokens.add", "A token with this name exists", "A token with this name exists"],
  ["health", "nowMs: stays", "nowMs: stays"],
] as const)("an error of %s names the typed option: %s", (name, error, shown) => {
  expect(typedError(name, error)).toBe(shown);
});
