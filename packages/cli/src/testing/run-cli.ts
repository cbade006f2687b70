import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

/** Runs the real command in a process of its own, with nothing of this one's PROPGATE_ variables. */
export async function runCli(
  given: readonly string[],
  settings: { readonly env?: Record<string, string>; readonly input?: string | Uint8Array } = {},
): Promise<CliResult> {
  const child = spawn(process.execPath, ["--conditions=@propgate/source", MAIN, ...given], {
    env: { ...withoutOurs(process.env), ...settings.env },
    stdio: "pipe",
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => {});
  child.stdin.end(settings.input ?? "");
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

export function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("PROPGATE_")));
}
