import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The first version of Node that the service supports, as major and minor. */
const FIRST_SUPPORTED_NODE = [24, 12] as const;

/**
 * The path of the first Node on the `PATH` that is at least version 20 and too old for the service. Null when there is
 * none; the function then reports on standard error that `what` is not tested. Folders of `node_modules` are left out:
 * on a machine with such a Node, this project's packages bring Node 24 there.
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
  const [leastMajor, leastMinor] = FIRST_SUPPORTED_NODE;
  return major >= 20 && (major < leastMajor || (major === leastMajor && minor < leastMinor));
}
