import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../source-tree.ts";

export const PROGRAM_SOURCE = join(ROOT, "packages/cli/src/main.ts");

/**
 * The command for processes that tests start: built from the sources before the first test of a run, because a service
 * that loads a thousand sources takes twice the processor time to start. Outside a run it is the source.
 */
export function builtProgram(): string {
  const built = join(programFolder(tmpdir()), "main.js");
  return existsSync(built) ? built : PROGRAM_SOURCE;
}

export function programFolder(runFolder: string): string {
  return join(runFolder, "propgate-program");
}
