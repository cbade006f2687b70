import { describe, expect, test } from "vitest";
import { findingsInDocument, findingsInSource } from "../tools/language-patterns.ts";
import {
  checkedFiles,
  countPatterns,
  findingsOf,
  readAllowedCounts,
} from "../tools/plain-english.ts";

const counts = countPatterns();
const allowed = readAllowedCounts();

test("no file has more patterns of the old language than before, and a new file has none", () => {
  const risen = Object.keys(counts).filter((path) => (counts[path] ?? 0) > (allowed[path] ?? 0));
  const places = risen.flatMap((path) =>
    findingsOf(path).map(({ line, pattern, text }) => `${path}:${line}: ${pattern}: ${text}`),
  );
  expect(places).toEqual([]);
});

test("the ratchet holds the present counts: `npm run docs` lowers it", () => {
  const fallen = Object.entries(allowed).filter(([path, count]) => (counts[path] ?? 0) < count);
  expect(fallen.map(([path, count]) => `${path}: ${counts[path] ?? 0}, was ${count}`)).toEqual([]);
});

test("sources, guides and the root's documents are checked, generated references are not", () => {
  const files = checkedFiles();
  const expected = ["README.md", "docs/guides/start.md", "examples/bot/bot.ts"];
  expect(files).toEqual(expect.arrayContaining(expected));
  expect(files.filter((path) => path.startsWith("docs/reference/"))).toEqual([]);
});

describe("the checker finds in a source", () => {
  test.each([
    ["/** What a caller reads. */", ["opens with a relative clause"]],
    ["/** That which a caller reads. */", ["opens with a relative clause"]],
    ["// Of the two the newer one.", ["opens with a genitive"]],
    ["/**\n * What follows.\n */", ["opens with a relative clause"]],
    ["/** The order's stop. Null: there is none. */", ["says when a value is null"]],
    [
      "/** Retries when nobody or somebody answers, whatever they say. */",
      ["no actor", "no actor", "no actor"],
    ],
    ["/** Sends all orders at once. */", ["immediately or concurrently, not: at once"]],
    ["/** The key was taken back. */", ["roll back, cancel or revoke, not: take back"]],
    ["/** Missed days are made up later. */", ["catch up or invent, not: make up"]],
    ["/** Bodies that are no JSON. */", ["not valid JSON, not: no JSON"]],
    ["/** An order that stands in the book. */", ["machines do not stand"]],
    ["/** Fills that a price brings about. */", ["cause, not: bring about"]],
    ["/** Requests are let in. */", ["accept, not: let in"]],
    ["/** Requests are turned away. */", ["reject, not: turn away"]],
    ["/** The client is told. */", ["machines are not told"]],
    ["/** The store is asked. */", ["machines are not asked"]],
    ["const told = new Set();\nask(told);", ["a name that says nothing"]],
    ["const asked: number = 1; // a name", ["a name that says nothing"]],
    ["function here<T>(value: T): T { return value; }", ["a name that says nothing"]],
    ["const most = 5;", ["max or min, not: most or least"]],
    ['throw new Error("nobody answered");', ["no actor"]],
    ["const text = `nobody is here`;", ["no actor"]],
    ["const page = <p>Somebody signed in.</p>;", ["no actor"]],
    ["const order = { id, ...{ pair, size } };", ["an object literal folded into another"]],
    ["function place(...[id, size]: [string, number]) {}", ["parameters folded into a rest tuple"]],
  ])("the checker finds in a source: %s", (text, patterns) => {
    expect(findingsInSource(text, "source.tsx").map(({ pattern }) => pattern)).toEqual(patterns);
  });
});

describe("the checker finds nothing in", () => {
  test.each([
    "/** Offers what a caller reads. */",
    'const says = "nobody";',
    "const retold = state.asked;",
    "/** What is an account? */",
    "/** Null when the order has no stop. */",
    "/** A stand-in of the venue. */",
    "/** BTC stands for bitcoin. An order is made up of legs, of the size asked for. */",
    "const range = { most: 5, least: 1 };",
    'const globs = ["**/*.ts", "/** What is no comment */"];',
    "const order = { id, ...legs, ...(stop === null ? {} : { stop }) };",
    "function sum(...numbers: number[]) {}",
  ])("the checker finds nothing in a source: %s", (text) => {
    expect(findingsInSource(text, "source.tsx")).toEqual([]);
  });

  test("the checker finds nothing in a document's code, inline code and addresses of links", () => {
    const text = "See `told` and [this](nobody.md).\n\n```sh\necho whatever\n```\n";
    expect(findingsInDocument(text)).toEqual([]);
  });
});

test("the checker reports the line of a finding", () => {
  expect(findingsInDocument("Fine.\n\nA price fills whoever waits.\n")).toEqual([
    { line: 3, pattern: "no actor", text: "A price fills whoever waits." },
  ]);
  expect(findingsInSource("const a = 1;\n/** Whoever. */\n").map(({ line }) => line)).toEqual([2]);
});
