import { spawn } from "node:child_process";
import { once } from "node:events";
import { MAIN, withoutOurs } from "./run-cli.ts";

/** A running command in its own process. */
export interface BackgroundCli {
  /** The first line of standard output. */
  readonly firstLine: string;
  /** All of standard output and standard error so far. */
  said(): { readonly stdout: string; readonly stderr: string };
  /** Sends the signal and resolves with the exit code, null when the signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts the real command. Resolves when it has printed `until`, or its first line. */
export async function startCli(
  given: readonly string[],
  settings: { readonly env?: Record<string, string>; readonly until?: string } = {},
): Promise<BackgroundCli> {
  const child = spawn(process.execPath, ["--conditions=@propgate/source", MAIN, ...given], {
    env: { ...withoutOurs(process.env), ...settings.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(child, "close");
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      if (stdout.includes(settings.until ?? "\n")) resolve();
    });
    void ended.then(() =>
      reject(new Error(`the command ended before it was ready: ${stdout}${stderr}`)),
    );
  });
  return {
    firstLine: stdout.split("\n")[0] ?? "",
    said: () => ({ stdout, stderr }),
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}
