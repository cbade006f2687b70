import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The first version of Node that runs TypeScript without a flag, as major and minor. */
const FIRST_TYPESCRIPT_NODE = [24, 12] as const;

/**
 * The path of the first Node on the `PATH` that is at least 20 and too old to run TypeScript. Null when there is none;
 * then it reports on standard error that `what` is not tested. Such a machine would get Node 24 from this project's
 * packages.
 */
export function findOlderNode(what: string): string | null {
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
  const [leastMajor, leastMinor] = FIRST_TYPESCRIPT_NODE;
  return major >= 20 && (major < leastMajor || (major === leastMajor && minor < leastMinor));
}
