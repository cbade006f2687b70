import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The first version of Node that runs TypeScript directly. */
const RUNS_TYPESCRIPT = [24, 12] as const;

/**
 * The first Node on the path that is too old to run TypeScript. Null, with a message on standard
 * error, when there is none. Such a machine gets Node 24 from this project's packages.
 */
export function olderNode(what: string): string | null {
  const found = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"))
    .map((folder) => join(folder, "node"))
    .find((path) => existsSync(path) && isOlder(path));
  if (found !== undefined) return found;
  process.stderr.write(`\nSKIPPED: no Node before 24.12 is on the path to try ${what} with\n`);
  return null;
}

function isOlder(path: string): boolean {
  const version = execFileSync(path, ["--version"], { encoding: "utf8" });
  const [major = 0, minor = 0] = version.slice(1).split(".").map(Number);
  const [leastMajor, leastMinor] = RUNS_TYPESCRIPT;
  return major >= 20 && (major < leastMajor || (major === leastMajor && minor < leastMinor));
}
