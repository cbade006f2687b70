import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { withoutPropgateVariables } from "../packages/cli/src/testing/run-cli.ts";
import { findOlderNode } from "./find-older-node.ts";
import { firstOutputLine } from "./first-line.ts";
import { ROOT, readText } from "./source-tree.ts";

const BIN = join(ROOT, "packages/cli/bin/propgate.js");

/** A module that makes this Node report an old version. It simulates an older Node on machines that have none. */
const OLD_VERSION_MODULE = `data:text/javascript,
  Object.defineProperty(process, "version", { value: "v20.20.2" });`;
const real = findOlderNode("the command");
const OLDER: readonly (readonly [string, ...string[]])[] = [
  [process.execPath, "--import", OLD_VERSION_MODULE],
  ...(real === null ? [] : [[real] as const]),
];

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

function run([node, ...flags]: readonly [string, ...string[]], bin: string): Promise<Ended> {
  return started([...flags, bin, "--version"], withoutPropgateVariables(process.env), node);
}

function started(
  given: readonly string[],
  env: NodeJS.ProcessEnv,
  node: string = process.execPath,
): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(node, given, { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // The process has ended already, as it should.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

describe("the command on a Node that is too old for it", () => {
  test.each(OLDER)(
    "%s runs the command on the Node of the installed packages",
    async (node, ...flags) => {
      expect(await run([node, ...flags], BIN)).toEqual({ code: 0, stdout: "0.1.0\n", stderr: "" });
    },
  );

  test("a signal ends the child process, and the command exits with the child's status", async () => {
    const [node, ...flags] = OLDER.at(-1) ?? [process.execPath];
    const child = spawn(node, [...flags, BIN, "sandbox"], {
      env: withoutPropgateVariables(process.env),
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const { baseUrl } = JSON.parse(await firstOutputLine(child)) as { baseUrl: string };
    expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    await expect(fetch(`${baseUrl}/health`)).rejects.toThrow("fetch failed");
  });

  test("the command without a newer Node prints the required version and exits with 2", async () => {
    const folder = await mkdtemp(join(tmpdir(), "propgate-bin-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await mkdir(join(folder, "bin"));
    for (const file of [
      "bin/propgate.js",
      "bin/newer-node.js",
      "bin/compile-cache.js",
      "package.json",
    ]) {
      await copyFile(join(ROOT, "packages/cli", file), join(folder, file));
    }
    const [older = [process.execPath] as const] = OLDER;
    const { code, stdout, stderr } = await run(older, join(folder, "bin/propgate.js"));
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("needs 24.12 or newer");
  });
});

describe("the modules of a command", () => {
  /** A module that records the packages of all loaded modules and prints them at the end. */
  const LISTING = `data:text/javascript,
    import { registerHooks } from "node:module";
    const packages = new Set();
    registerHooks({ load(url, context, next) {
      const [, name] = /(?:node_modules|packages)[/]([^/]+(?:(?<=@[^/]+)[/][^/]+)?)/.exec(url) ?? [];
      if (name !== undefined) packages.add(name);
      return next(url, context);
    } });
    process.on("exit", () => console.error(JSON.stringify([...packages].sort())));`;

  test.each([
    ["--version", ["cli", "commander"]],
    ["--help", ["cli", "commander", "contract", "operator", "sdk"]],
    ["order market --help", ["cli", "commander", "contract", "sdk"]],
    ["account", ["cli", "commander", "contract", "sdk"]],
    ["serve --help", ["cli", "commander", "contract", "sdk"]],
    ["mcp --help", ["cli", "commander", "contract", "sdk"]],
  ])("propgate %s loads only the packages %j", async (line, packages) => {
    const given = ["--import", LISTING, BIN, ...line.split(" ")];
    const { stderr } = await started(given, withoutPropgateVariables(process.env));
    expect(JSON.parse(stderr.trim().split("\n").at(-1) ?? "")).toEqual(packages);
  });

  test.each(["sandbox", "serve --json"])(
    "propgate %s without a validator and without NATS loads neither vanta nor cluster",
    async (line) => {
      const data = await mkdtemp(join(tmpdir(), "propgate-data-"));
      // A sandbox rejects these settings.
      const settings = line === "sandbox" ? {} : { PROPGATE_PORT: "0", PROPGATE_DATA_DIR: data };
      onTestFinished(() => rm(data, { recursive: true, force: true }));
      const child = spawn(process.execPath, ["--import", LISTING, BIN, ...line.split(" ")], {
        env: { ...withoutPropgateVariables(process.env), ...settings },
        stdio: ["ignore", "pipe", "pipe"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      const stderr = text(child.stderr);
      await firstOutputLine(child);
      child.kill("SIGTERM");
      const packages: unknown = JSON.parse((await stderr).trim().split("\n").at(-1) ?? "");
      expect(packages).toContain("server");
      expect(packages).not.toContain("vanta");
      expect(packages).not.toContain("cluster");
    },
  );
});

describe("the modules that Node has compiled", () => {
  async function places(): Promise<{ readonly home: string; readonly cache: string }> {
    const home = await mkdtemp(join(tmpdir(), "propgate-home-"));
    onTestFinished(() => rm(home, { recursive: true }));
    return { home, cache: join(home, "cache") };
  }
  const isKept = (folder: string): boolean => existsSync(join(folder, "propgate", "compiled"));
  const { PATH } = process.env;
  const VERSION = { code: 0, stdout: "0.1.0\n", stderr: "" };

  test("compiled modules are kept in $XDG_CACHE_HOME, else in ~/.cache", async () => {
    const { home, cache } = await places();
    expect(await started([BIN, "--version"], { PATH, HOME: home })).toEqual(VERSION);
    expect(isKept(join(home, ".cache"))).toBe(true);
    await started([BIN, "--version"], { PATH, HOME: home, XDG_CACHE_HOME: cache });
    expect(isKept(cache)).toBe(true);
  });

  test.each([
    { PROPGATE_COMPILE_CACHE: "off" },
    { NODE_DISABLE_COMPILE_CACHE: "1" },
    { NODE_COMPILE_CACHE: join(tmpdir(), "propgate-own-cache") },
  ])("compiled modules are not kept in the cache with %j", async (setting) => {
    const { home, cache } = await places();
    const env = { PATH, HOME: home, XDG_CACHE_HOME: cache, ...setting };
    expect(await started([BIN, "--version"], env)).toEqual(VERSION);
    expect([isKept(cache), isKept(join(home, ".cache"))]).toEqual([false, false]);
  });

  test.each([
    {},
    { HOME: "" },
    { HOME: "/etc/passwd" },
    { HOME: "/dev/null/home", XDG_CACHE_HOME: "relative" },
    { XDG_CACHE_HOME: "/proc/nowhere" },
    { XDG_CACHE_HOME: "/proc/self" },
  ])("compiled modules are not missed where no folder can be written: %j", async (places) => {
    expect(await started([BIN, "--version"], { PATH, ...places })).toEqual(VERSION);
  });
});

describe("a command whose output cannot be written", () => {
  test("a command prints to standard error what a full disk does not take, and ends with 5", async () => {
    const { code, stdout, stderr } = await started(
      ["-c", 'exec "$0" "$1" --version > /dev/full', process.execPath, BIN],
      withoutPropgateVariables(process.env),
      "/bin/sh",
    );
    expect([code, stdout]).toEqual([5, ""]);
    expect(stderr).toContain("propgate: standard output cannot be written: ");
    expect(stderr).toContain("0.1.0\n");
  });

  test("a command whose reader has gone ends with 0, and says nothing", async () => {
    const piped = '{ "$0" "$1" --version; echo "ended with $?" >&2; } | true';
    const shell = ["-c", piped, process.execPath, BIN];
    expect((await started(shell, withoutPropgateVariables(process.env), "/bin/sh")).stderr).toBe(
      "ended with 0\n",
    );
  });
});

describe("a script of package.json in the background", () => {
  test("a background script ends with npm on a signal and leaves no process", async () => {
    const child = spawn("npm", ["run", "--silent", "propgate", "--", "sandbox"], {
      cwd: ROOT,
      env: withoutPropgateVariables(process.env),
      stdio: ["ignore", "pipe", "inherit"],
      // The process leads a group of its own, so that the test can end the whole group when a signal does not arrive.
      detached: true,
    });
    const { pid = 0 } = child;
    onTestFinished(() => endGroup(pid));
    const { baseUrl } = JSON.parse(await firstOutputLine(child)) as { baseUrl: string };
    child.kill("SIGTERM");
    await once(child, "exit");
    await expect(fetch(`${baseUrl}/health`)).rejects.toThrow("fetch failed");
  });

  test("a background script replaces its shell by the program, so signals reach the program", () => {
    const { scripts } = JSON.parse(readText("package.json")) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const runsNode = Object.entries(scripts).filter(([, line]) => /\bnode /.test(line));
    expect(runsNode.length).toBeGreaterThan(5);
    expect(runsNode.filter(([, line]) => !/(^|&& )exec node /.test(line))).toEqual([]);
  });
});
