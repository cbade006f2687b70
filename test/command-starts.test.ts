import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { withoutOurs } from "../packages/cli/src/testing/run-cli.ts";
import { olderNode } from "./older-node.ts";
import { ROOT, readText } from "./source-tree.ts";

const BIN = join(ROOT, "packages/cli/bin/propgate.js");

/** As an older Node has it: this Node says that it is one, where the machine has none. */
const PRETENDED = `data:text/javascript,
  Object.defineProperty(process, "version", { value: "v20.20.2" });`;
const real = olderNode("the command");
const OLDER: readonly (readonly [string, ...string[]])[] = [
  [process.execPath, "--import", PRETENDED],
  ...(real === null ? [] : [[real] as const]),
];

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

function run([node, ...flags]: readonly [string, ...string[]], bin: string): Promise<Ended> {
  return new Promise((resolve) => {
    const given = [...flags, bin, "--version"];
    execFile(node, given, { env: withoutOurs(process.env) }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("it has no standard output");
  const [line] = await once(createInterface(child.stdout), "line");
  return String(line);
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // It is gone already, as it should be.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

describe("the command on a Node that is too old for it", () => {
  test.each(OLDER)("%s runs it on the Node that the packages bring", async (node, ...flags) => {
    expect(await run([node, ...flags], BIN)).toEqual({ code: 0, stdout: "0.1.0\n", stderr: "" });
  });

  test("a signal ends what it started, and it ends as that ended", async () => {
    const [node, ...flags] = OLDER.at(-1) ?? [process.execPath];
    const child = spawn(node, [...flags, BIN, "sandbox"], {
      env: withoutOurs(process.env),
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const { baseUrl } = JSON.parse(await firstLine(child)) as { baseUrl: string };
    expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
    await expect(fetch(`${baseUrl}/health`)).rejects.toThrow("fetch failed");
  });

  test("without a newer Node in reach it says which one it needs: 2", async () => {
    const folder = await mkdtemp(join(tmpdir(), "propgate-bin-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await mkdir(join(folder, "bin"));
    for (const file of ["bin/propgate.js", "bin/newer-node.js", "package.json"]) {
      await copyFile(join(ROOT, "packages/cli", file), join(folder, file));
    }
    const [older = [process.execPath] as const] = OLDER;
    const { code, stdout, stderr } = await run(older, join(folder, "bin/propgate.js"));
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("needs 24.12 or newer");
  });
});

describe("a script of package.json in the background", () => {
  test("ends with npm when npm gets a signal, and leaves no process behind", async () => {
    const child = spawn("npm", ["run", "--silent", "propgate", "--", "sandbox"], {
      cwd: ROOT,
      env: withoutOurs(process.env),
      stdio: ["ignore", "pipe", "inherit"],
      // A group of its own, which can be ended whole when the signal does not reach all of it.
      detached: true,
    });
    const { pid = 0 } = child;
    onTestFinished(() => endGroup(pid));
    const { baseUrl } = JSON.parse(await firstLine(child)) as { baseUrl: string };
    child.kill("SIGTERM");
    await once(child, "exit");
    await expect(fetch(`${baseUrl}/health`)).rejects.toThrow("fetch failed");
  });

  test("replaces its shell by the program, so that signals reach the program", () => {
    const { scripts } = JSON.parse(readText("package.json")) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const runsNode = Object.entries(scripts).filter(([, line]) => /\bnode /.test(line));
    expect(runsNode.length).toBeGreaterThan(5);
    expect(runsNode.filter(([, line]) => !/(^|&& )exec node /.test(line))).toEqual([]);
  });
});
