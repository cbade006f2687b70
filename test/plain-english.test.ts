import { expect, test } from "vitest";
import { allowedPatterns, countedPatterns, patternsIn } from "../tools/plain-english.ts";

const counts = countedPatterns();
const allowed = allowedPatterns();

test("no file has more patterns of the old language than before, and a new file has none", () => {
  const risen = Object.entries(counts).filter(([path, count]) => count > (allowed[path] ?? 0));
  expect(risen.map(([path, count]) => `${path}: ${count}, allowed ${allowed[path] ?? 0}`)).toEqual(
    [],
  );
});

test("the ratchet has the counts of today: else `npm run docs` lowers it", () => {
  const fallen = Object.entries(allowed).filter(([path, count]) => (counts[path] ?? 0) < count);
  expect(fallen.map(([path, count]) => `${path}: ${counts[path] ?? 0}, was ${count}`)).toEqual([]);
});

test.each([
  ["/** What a caller reads. */", 1],
  ["// Of the two the newer one.", 1],
  ["/**\n * What follows.\n */", 1],
  ["/** Retries when nobody or somebody answers, whatever they say. */", 3],
  ["const told = new Set();\nask(told);", 2],
  ["const asked: number = 1; // a name", 1],
])("counts the patterns of %j as %d", (text, count) => {
  expect(patternsIn(text)).toBe(count);
});

test.each([
  "/** Offers what a caller reads. */",
  'const says = "nobody told somebody";',
  "const retold = state.asked;",
  "/** What is an account? */",
])("counts no pattern in %j", (text) => {
  expect(patternsIn(text)).toBe(0);
});
