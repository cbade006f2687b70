import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";

/** Major and minor: from this version on Node runs TypeScript as it is. */
export const NEEDED = [24, 12];

/** `version` as in `v24.12.0`. */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

/** The Node that a package brought, in the `node_modules` nearest above `file`; null when there is none. */
export function findNewerNode(file) {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const node = join(folder, "node_modules", ".bin", "node");
    if (existsSync(node) && isNewEnough(versionOf(node))) return node;
    if (folder === dirname(folder)) return null;
  }
}

function versionOf(node) {
  try {
    return execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  } catch {
    return "";
  }
}

/** Runs the same command line on another Node, passes signals on, and ends as that one ends. */
export function runInstead(node, given) {
  const child = spawn(node, given, { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      // Ctrl-C at a terminal reaches the child by itself: a second one would end it in the middle.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("error", (error) => {
    process.stderr.write(`propgate: ${node} could not be started: ${error.message}\n`);
    process.exitCode = 2;
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 70);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
