import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Child {
  /** The first line that it printed. */
  readonly line: string;
  stop(): Promise<void>;
}

/** Starts a program of this folder in a process of its own and waits for its first line. */
export function startChild(
  file: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Child> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child: ChildProcess = spawn(
    process.execPath,
    ["--conditions=@propgate/source", path, ...words],
    { stdio: ["ignore", "pipe", "inherit"], env: { PATH: process.env.PATH, ...environment } },
  );
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await gone;
  };
  return new Promise((resolve, reject) => {
    let said = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const end = said.indexOf("\n");
      if (end !== -1) resolve({ line: said.slice(0, end), stop });
    });
    child.once("exit", (code) =>
      reject(new Error(`${file} ended with ${code} before it was ready`)),
    );
  });
}
