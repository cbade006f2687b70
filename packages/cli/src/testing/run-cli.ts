import { spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { TABLE_WIDTH } from "../output.ts";
import { run } from "../program.ts";
import { FROM_CHECKOUT } from "../render/invocation.ts";
import { typedPrompts } from "../render/prompts.ts";

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliSettings {
  readonly env?: Record<string, string>;
  readonly input?: string | Uint8Array;
}

export const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

/**
 * Runs the command in this process, with its output in memory and without this process's PROPGATE_
 * variables. Several times faster than `runCliProcess`, which is for behaviour of the process itself.
 */
export async function runCli(
  given: readonly string[],
  { env, input = "" }: CliSettings = {},
): Promise<CliResult> {
  let stdout = "";
  let stderr = "";
  const bytes = Buffer.from(input);
  const code = await run(given, {
    invocation: FROM_CHECKOUT,
    env: { ...withoutOurs(process.env), ...env },
    out(text) {
      stdout += text;
    },
    error(text) {
      stderr += text;
    },
    inputIsTyped: false,
    readInput: () => Promise.resolve(bytes),
    streams: { input: Readable.from([bytes]), output: new PassThrough() },
    outIsTerminal: false,
    errorIsTerminal: false,
    hasColours: false,
    columns: () => TABLE_WIDTH,
    rows: () => 24,
    prompts: typedPrompts(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    now: () => Date.now(),
    untilStopped: () => new Promise(() => {}),
  });
  return { code, stdout, stderr };
}

/** Runs the real command in a process of its own, without this process's PROPGATE_ variables. */
export async function runCliProcess(
  given: readonly string[],
  { env, input = "" }: CliSettings = {},
): Promise<CliResult> {
  const child = spawn(process.execPath, ["--conditions=@propgate/source", MAIN, ...given], {
    env: { ...withoutOurs(process.env), ...env },
    stdio: "pipe",
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

export function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("PROPGATE_")));
}
