import { expect, test } from "vitest";
import { codeForTestsOnly, deadExports, readSources } from "./dead-exports.ts";

const sources = readSources();

test("every export of a product source is imported by another file", () => {
  expect(deadExports(sources)).toEqual([]);
});

/** Tables and types that only tests use: they are compared with the code. */
const COMPARED_BY_TESTS = [
  "ORDER_TRANSITIONS",
  "SIGN_IN_CALLS",
  "NOT_BACKED_UP",
  "OPERATOR_BODIES",
  "OrderRequest",
];

test("no product code exists for tests only, except for a few tables", () => {
  expect(
    codeForTestsOnly(sources).filter(
      (name) => !COMPARED_BY_TESTS.includes(name.split("#")[1] ?? ""),
    ),
  ).toEqual([]);
});
