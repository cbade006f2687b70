import { expect, test } from "vitest";
import { codeForTestsOnly, deadExports, readSources } from "./dead-exports.ts";

const sources = readSources();

test("every export of a product source is imported by another file", () => {
  expect(deadExports(sources)).toEqual([]);
});

/** Tables that only tests use: the tests compare them with the code. */
const COMPARED_BY_TESTS = ["NOT_BACKED_UP", "SIGN_IN_CALLS"];

test("no product code exists for tests only, except for a few tables", () => {
  const names = codeForTestsOnly(sources).map((name) => name.split("#")[1] ?? "");
  expect([...new Set(names)].toSorted()).toEqual(COMPARED_BY_TESTS.toSorted());
});
