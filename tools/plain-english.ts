import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow, ROOT, readText } from "../test/source-tree.ts";
import { findingsInDocument, findingsInSource, type LanguageFinding } from "./language-patterns.ts";

/** The number of findings of each file. A finding is a location with a wording that this repository does not use. */
export type PatternCounts = Readonly<Record<string, number>>;

const FOLDERS = ["packages", "proofs", "test", "tools", "bench", "examples", "deploy", "docs"];
const RATCHET = "tools/plain-english.json";
/** Paths that are not checked: the patterns themselves, their examples, and texts that are generated or given. */
const EXCEPT: readonly string[] = [
  "tools/language-patterns.ts",
  "test/plain-english.test.ts",
  "docs/reference/",
  "docs/spec/specification.md",
];

/** The counts of all sources and documents of the checkout, without files that have none. */
export function countPatterns(): PatternCounts {
  const counts = checkedFiles().map((path) => [path, findingsOf(path).length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** Every source and document whose language is checked. */
export function checkedFiles(): readonly string[] {
  return [...FOLDERS.flatMap(filesBelow), ...readdirSync(ROOT)]
    .filter((path) => /\.(tsx?|md)$/.test(path))
    .filter((path) => !EXCEPT.some((excepted) => path.startsWith(excepted)));
}

export function findingsOf(path: string): readonly LanguageFinding[] {
  const text = readText(path);
  return path.endsWith(".md") ? findingsInDocument(text) : findingsInSource(text, path);
}

/** The counts that are allowed, from `tools/plain-english.json`. A file that is not named there may have none. */
export function readAllowedCounts(): PatternCounts {
  return JSON.parse(readFileSync(join(ROOT, RATCHET), "utf8")) as PatternCounts;
}

/** Writes the present counts as the allowed ones. Throws, without writing, when their total is greater than before. */
export function lowerAllowedCounts(): void {
  const counts = countPatterns();
  const before = total(readAllowedCounts());
  const now = total(counts);
  if (now > before) {
    throw new Error(
      `${RATCHET}: ${now} patterns, ${before} before. \`npm run plain-english\` lists them. ` +
        "In a merge, take the file of the branch that has more, and run this again.",
    );
  }
  writeFileSync(join(ROOT, RATCHET), `${JSON.stringify(counts, null, 2)}\n`);
}

function total(counts: PatternCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
