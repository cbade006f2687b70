import { spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { builtProgramPath } from "../../../../test/environment/built-program.ts";
import { TABLE_WIDTH } from "../output.ts";
import { runCommandLine } from "../program.ts";
import { CHECKOUT_INVOCATION } from "../render/invocation.ts";
import { createPrompts } from "../render/prompts.ts";

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliSettings {
  readonly env?: Record<string, string>;
  readonly input?: string | Uint8Array;
}

/**
 * The arguments of Node that start the command in a process of its own. `test/command-starts.test.ts` starts it as
 * `npm run propgate` does.
 */
export const CLI_COMMAND: readonly string[] = [
  "--conditions=@propgate/source",
  builtProgramPath("packages/cli/src/main.ts"),
];

/** Receives the output of a command in this process. */
interface Written {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/**
 * Runs the command in this process, and resolves with its exit code. `stopped` acts as the signal for a command that
 * runs until a signal.
 */
export function runCliHere(
  given: readonly string[],
  { env, input = "" }: CliSettings,
  { out, error }: Written,
  stopped: Promise<string> = new Promise(() => {}),
): Promise<number> {
  const bytes = Buffer.from(input);
  return runCommandLine(given, {
    invocation: CHECKOUT_INVOCATION,
    env: { ...withoutPropgateVariables(process.env), ...env },
    out,
    error,
    inputIsTyped: false,
    readInput: () => Promise.resolve(bytes),
    streams: { input: Readable.from([bytes]), output: new PassThrough() },
    outIsTerminal: false,
    errorIsTerminal: false,
    hasColours: false,
    columns: () => TABLE_WIDTH,
    rows: () => 24,
    prompts: createPrompts(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    now: () => Date.now(),
    untilStopped: () => stopped,
  });
}

/**
 * Runs the command in this process, with its output in memory and without this process's PROPGATE_ variables. It is
 * several times faster than `runCliProcess`, which is for tests of the process itself.
 */
export async function runCli(
  given: readonly string[],
  settings: CliSettings = {},
): Promise<CliResult> {
  let stdout = "";
  let stderr = "";
  const code = await runCliHere(given, settings, {
    out(text) {
      stdout += text;
    },
    error(text) {
      stderr += text;
    },
  });
  return { code, stdout, stderr };
}

/** Runs the real command in a process of its own, without this process's PROPGATE_ variables. */
export async function runCliProcess(
  given: readonly string[],
  { env, input = "" }: CliSettings = {},
): Promise<CliResult> {
  const child = spawn(process.execPath, [...CLI_COMMAND, ...given], {
    env: { ...withoutPropgateVariables(process.env), ...env },
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

export function withoutPropgateVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("PROPGATE_")));
}
