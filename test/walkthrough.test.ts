/** Runs the commands of README.md and of the sandbox guides exactly as they are written. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startCliHere } from "../packages/cli/src/testing/background-cli.ts";
import { withoutPropgateVariables } from "../packages/cli/src/testing/run-cli.ts";
import { CONTROL_CALLS } from "../packages/server/src/sandbox/control-calls.ts";
import { ROOT, readText } from "./source-tree.ts";
import {
  SANDBOX_GUIDES,
  shellScriptOf,
  stepOutputs,
  type WalkthroughStep,
  walkthroughSteps,
  withWildcards,
} from "./walkthrough.ts";

const [GUIDE] = SANDBOX_GUIDES;

function shell(script: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const options = { cwd: ROOT, env: { ...withoutPropgateVariables(process.env), ...env } };
  return new Promise((resolve, reject) => {
    execFile("sh", ["-c", script], options, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`${stdout}${stderr}`, { cause: error })),
    );
  });
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "propgate-walkthrough-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

describe("the documentation's commands", () => {
  test("README.md: the order and the positions work on a live service", async () => {
    const step = walkthroughSteps(readText("README.md")).find(({ run }) =>
      run.includes("propgate-curl.sh"),
    );
    const [export_ = "", ...commands] = (step?.run ?? "").split("\n");
    expect(export_).toBe("export PROPGATE_KEY_ID=pk_…  PROPGATE_SECRET=propgate_sk_…");
    const folder = await temporaryFolder();
    const service = await startCliHere([
      "serve",
      "--json",
      "--show-secrets",
      "--port",
      "0",
      "--data",
      folder,
    ]);
    const { baseUrl, firstKey } = JSON.parse(service.firstLine) as {
      baseUrl: string;
      firstKey: { keyId: string; secret: string };
    };
    const printed = await shell(commands.join("\n"), {
      PROPGATE_BASE_URL: baseUrl,
      PROPGATE_KEY_ID: firstKey.keyId,
      PROPGATE_SECRET: firstKey.secret,
    });
    const [order, positions] = printed.trim().split(/(?<=\})\n?(?=\{"success")/);
    expect(JSON.parse(order ?? "")).toMatchObject({
      success: true,
      data: { order: { filled: true, tradePair: "BTCUSD", stopLoss: 30_000 } },
    });
    expect(JSON.parse(positions ?? "")).toMatchObject({
      data: [{ tradePair: "BTCUSD", positionType: "LONG", stopLoss: 30_000 }],
    });
  });

  test.each(SANDBOX_GUIDES)("%s: every call gets the documented answer", async (guide) => {
    const [start, ...steps] = walkthroughSteps(readText(guide));
    const given = /^npm run --silent propgate -- (.*) > (\S+) &$/.exec(start?.run ?? "");
    const sandbox = await startCliHere((given?.[1] ?? "").split(" "));
    const ready = join(await temporaryFolder(), "ready.json");
    await writeFile(ready, `${sandbox.firstLine}\n`);
    const commands = steps.map(({ run }) => run.replaceAll(given?.[2] ?? "", ready));
    const printed = stepOutputs(await shell(shellScriptOf(commands)));
    expect(printed).toHaveLength(steps.length);
    for (const [index, step] of steps.entries()) expectAnswer(step, printed[index] ?? "");
  });

  test(`${GUIDE} lists every call of the control plane`, () => {
    const listed = [...readText(GUIDE).matchAll(/^\| `([A-Z]+ \/[^`?]*)/gm)].map(
      ([, call]) => call,
    );
    const there = CONTROL_CALLS.map(({ method, path }) => `${method} ${path}`);
    expect(listed.toSorted()).toEqual(there.toSorted());
  });
});

function expectAnswer({ run, answer }: WalkthroughStep, printed: string): void {
  if (answer === null) expect(printed, run).toBe("");
  else expect(JSON.parse(printed), run).toMatchObject(withWildcards(answer));
}
