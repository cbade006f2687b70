import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/** The first line of a process's standard output. Throws when the output ends without one. */
export async function firstOutputLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("the process has no output");
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error("the process ended without a line of output");
}
