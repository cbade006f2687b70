import { dirname, join, normalize } from "node:path";
import { filesBelow, importsOf, readText } from "../../test/source-tree.ts";
import { SUITES_BY_FILE } from "./suites-by-file.ts";

const FOLDERS = ["packages", "proofs", "test", "tools", "bench", "examples"] as const;
const TEST = /\.test\.tsx?$/;

export interface ReachedTests {
  /** The tests that `SUITES_BY_FILE` names for a changed file. */
  readonly named: readonly string[];
  /**
   * Tests of packages with a changed file, whose imports lead to a changed file. The tests with the fewest import steps
   * come first.
   */
  readonly near: readonly string[];
}

/**
 * The tests that a change of these files can reach. For packages without a changed file these are only the tests that
 * `SUITES_BY_FILE` names.
 */
export function reachedTests(changed: readonly string[]): ReachedTests {
  const sources = FOLDERS.flatMap(filesBelow).filter((path) => /\.tsx?$/.test(path));
  const tests = sources.filter((path) => TEST.test(path));
  const prefixes = SUITES_BY_FILE.filter(({ files }) =>
    changed.some((path) => files.test(path)),
  ).flatMap(({ suites }) => suites);
  const named = tests.filter((path) => prefixes.some((prefix) => path.startsWith(prefix)));
  const importers = importersOf(sources);
  const reached = new Set(changed);
  // A set is visited in the order of its additions, so the nearest importers come first.
  for (const path of reached) {
    for (const importer of importers.get(path) ?? []) reached.add(importer);
  }
  const owners = new Set(changed.map(ownerOf));
  const near = [...reached].filter((path) => tests.includes(path) && owners.has(ownerOf(path)));
  return { named, near };
}

/** The package of a file. The folders beside the packages count as one. */
function ownerOf(path: string): string {
  return /^packages\/[^/]+/.exec(path)?.[0] ?? "";
}

/** The files that import a file, by the path of the imported one. Imports of a package by its name do not count. */
function importersOf(sources: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const path of sources) {
    for (const name of importsOf(readText(path)).filter((one) => one.startsWith("."))) {
      const target = normalize(join(dirname(path), name));
      // The index of a package leads to all of its files, so the files that import it do not count.
      if (isIndex(target)) continue;
      importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  }
  return importers;
}

function isIndex(path: string): boolean {
  return /^packages\/[a-z-]+\/src\/index\.ts$/.test(path);
}
