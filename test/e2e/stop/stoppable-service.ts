import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import type { Signer } from "../../../packages/server/src/testing/signed-request.ts";
import { builtProgramPath } from "../../environment/built-program.ts";

/** The service in a process of its own, which a test can stop. */
export interface StoppableService {
  readonly port: number;
  readonly signer: Signer;
  /** Sends SIGTERM. Resolves when the process has ended, with its exit code and how long that took. */
  stop(): Promise<{ readonly code: number | null; readonly tookMs: number }>;
}

/** Starts the service. At the end of the test its process is killed if it still runs, and its data is removed. */
export async function startStoppableService(delaySeconds: number): Promise<StoppableService> {
  const dataDir = await mkdtemp(join(tmpdir(), "propgate-stop-"));
  const words = ["serve", "--json", "--show-secrets", "--port", "0", "--data", dataDir];
  const program = builtProgramPath("packages/cli/src/main.ts");
  const child = spawn(process.execPath, ["--conditions=@propgate/source", program, ...words], {
    env: {
      ...process.env,
      PROPGATE_STOP_DELAY: String(delaySeconds),
      PROPGATE_LOG_LEVEL: "silent",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  });
  const ready = JSON.parse(await firstText(child.stdout)) as {
    readonly baseUrl: string;
    readonly firstKey: Signer;
  };
  return {
    port: Number(new URL(ready.baseUrl).port),
    signer: ready.firstKey,
    async stop() {
      const startedMs = performance.now();
      child.kill("SIGTERM");
      await ended;
      return { code: child.exitCode, tookMs: performance.now() - startedMs };
    },
  };
}

/** The first JSON document of the output, on one or several lines. */
async function firstText(output: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const line of createInterface({ input: output })) {
    text += `${line}\n`;
    if (line === "}" || /^\{.*\}$/.test(line)) return text;
  }
  throw new Error(`the service did not start: ${text}`);
}
