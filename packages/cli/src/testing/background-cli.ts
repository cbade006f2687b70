import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished, TestRunner } from "vitest";
import { CLI_COMMAND, runCliHere, withoutPropgateVariables } from "./run-cli.ts";

/** A command that runs in the background while a test goes on. */
export interface BackgroundCli {
  /** The first line of standard output that is not a log line. */
  readonly firstLine: string;
  /** Everything on standard output and standard error so far. */
  said(): { readonly stdout: string; readonly stderr: string };
  /** Sends the signal and resolves with the exit code; null when the signal killed the process. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

interface BackgroundSettings {
  readonly env?: Record<string, string>;
  /** The text whose output ends the wait for the start. Without it, the first line does. */
  readonly until?: string;
}

/**
 * Starts the real command. Resolves when it has printed `until`, or its first line. The command is stopped at the end
 * of the test that starts it, or of the test file when a hook starts it.
 */
export async function startCli(
  given: readonly string[],
  settings: BackgroundSettings = {},
): Promise<BackgroundCli> {
  const child = spawn(process.execPath, [...CLI_COMMAND, ...given], {
    env: { ...withoutPropgateVariables(process.env), ...settings.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const output = createOutput(settings.until);
  child.stdout.setEncoding("utf8").on("data", output.add);
  const ended = once(child, "close");
  endWithTest(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const said = () => ({ stdout: output.text(), stderr });
  await ready(output, ended, said);
  return {
    firstLine: output.firstLine() ?? "",
    said,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}

/**
 * Like `startCli`, but in this process, so that the service's code is not loaded again and every signal stops the
 * command in order. For tests that do not test the process itself.
 */
export async function startCliHere(
  given: readonly string[],
  settings: BackgroundSettings = {},
): Promise<BackgroundCli> {
  let stderr = "";
  const output = createOutput(settings.until);
  const stopped = Promise.withResolvers<string>();
  const ended = runCliHere(
    given,
    settings,
    {
      out: output.add,
      error(text) {
        stderr += text;
      },
    },
    stopped.promise,
  );
  const stop = (signal: NodeJS.Signals = "SIGTERM"): Promise<number> => {
    stopped.resolve(signal);
    return ended;
  };
  endWithTest(stop);
  const said = () => ({ stdout: output.text(), stderr });
  await ready(output, ended, said);
  return { firstLine: output.firstLine() ?? "", said, stop };
}

interface Output {
  readonly add: (text: string) => void;
  readonly text: () => string;
  readonly firstLine: () => string | undefined;
  readonly complete: Promise<void>;
}

function createOutput(until: string | undefined): Output {
  let stdout = "";
  const complete = Promise.withResolvers<void>();
  const firstLine = (): string | undefined =>
    stdout
      .split("\n")
      .slice(0, -1)
      .find((line) => !line.startsWith('{"level":'));
  return {
    add(text) {
      stdout += text;
      if (until === undefined ? firstLine() !== undefined : stdout.includes(until)) {
        complete.resolve();
      }
    },
    text: () => stdout,
    firstLine,
    complete: complete.promise,
  };
}

function ready(
  output: Output,
  ended: Promise<unknown>,
  said: BackgroundCli["said"],
): Promise<void> {
  const early = ended.then(() => {
    const { stdout, stderr } = said();
    throw new Error(`the command ended before it was ready: ${stdout}${stderr}`);
  });
  return Promise.race([output.complete, early]);
}

function endWithTest(end: () => Promise<unknown>): void {
  if (TestRunner.getCurrentTest() === undefined) return;
  onTestFinished(async () => {
    await end();
  });
}
