/**
 * `npm run check:near` checks the types, and runs lint and the nearest tests for the files that changed since the
 * branch left `main`, uncommitted ones included. `--since COMMIT` compares with another commit. `--list` only lists the
 * tests.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isSlow } from "../../test/environment/slowest-first.ts";
import { ROOT } from "../../test/source-tree.ts";
import { reachedTests } from "./reached-tests.ts";

/** The maximum number of test files that run because of their imports. More would take longer than a minute. */
const NEAR_MAX = 60;
const LINTED = /\.(tsx?|js|json|css)$/;

const { values } = parseArgs({
  options: { since: { type: "string" }, list: { type: "boolean", default: false } },
});
const base = values.since ?? mergeBase();
const changed = [
  ...lines(git(["diff", "--name-only", base])),
  ...lines(git(["ls-files", "--others", "--exclude-standard"])),
];
if (changed.length === 0) {
  console.log(`Nothing changed since ${base.slice(0, 8)}.`);
  process.exit(0);
}

const { named, near } = reachedTests(changed);
const quick = near.filter((path) => !isSlow(path) || changed.includes(path));
const tests = [...new Set([...named, ...quick.slice(0, NEAR_MAX)])];
const left = near.filter((path) => !tests.includes(path)).length;
if (values.list) {
  console.log(tests.join("\n"));
  process.exit(0);
}

console.log(
  `${changed.length} changed files, ${tests.length} test files; ${left} more of the same packages reach them, and ` +
    "tests of other packages may: npm run check runs all.",
);
const there = changed.filter((path) => existsSync(join(ROOT, path)));
const linted = there.filter((path) => LINTED.test(path));
const typed = there.filter((path) => /\.tsx?$/.test(path));
const isGood = [
  // A change can break the types of any file; only the files that it reaches are compiled again.
  runs("npm", ["run", "--silent", "types"]),
  linted.length === 0 || runs("biome", ["check", "--no-errors-on-unmatched", ...linted]),
  typed.length === 0 || runs("oxlint", ["--type-aware", ...typed]),
  tests.length === 0 || runs("vitest", ["run", ...tests]),
].every(Boolean);
process.exitCode = isGood ? 0 : 1;

function mergeBase(): string {
  for (const branch of ["main", "origin/main"]) {
    const { status, stdout } = spawnSync("git", ["merge-base", "HEAD", branch], { cwd: ROOT });
    if (status === 0) return stdout.toString().trim();
  }
  console.error(
    "There is no branch main or origin/main to compare with: name a commit with --since.",
  );
  process.exit(1);
}

function git(words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", words, { cwd: ROOT, maxBuffer: 2 ** 26 });
  if (status === 0) return stdout.toString();
  console.error(stderr.toString().trim());
  process.exit(1);
}

function lines(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

function runs(program: string, words: readonly string[]): boolean {
  return spawnSync(program, words, { cwd: ROOT, stdio: "inherit" }).status === 0;
}
