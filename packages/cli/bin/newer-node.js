import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";

/** The major and minor version from which on Node runs TypeScript files without a build. */
export const NEEDED = [24, 12];

/** True when a version, such as `v24.12.0`, is `NEEDED` or newer. */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

/**
 * The path of a new enough Node that an npm package has installed, in the nearest `node_modules` above `file`; null
 * when there is none.
 */
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

/** Runs the same command line with another Node, passes signals on to it, and ends with its exit code or signal. */
export function runInstead(node, given) {
  const child = spawn(node, given, { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the child too, and a second SIGINT would end the child before it has finished.
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
