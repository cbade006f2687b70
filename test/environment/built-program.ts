import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../source-tree.ts";

/** By their sources, as paths from the root. */
export const BUILT = [
  "packages/cli/src/main.ts",
  "packages/stand-in/src/main.ts",
  "proofs/validator/service-process.ts",
  "test/hostile/service-process.ts",
] as const;

/**
 * A program for processes that tests start: built from its sources before the first test of a run, because a service
 * that loads a thousand sources takes twice the processor time to start. Outside a run it is the source.
 */
export function builtProgram(source: (typeof BUILT)[number]): string {
  const built = join(programFolder(tmpdir()), builtName(source));
  return existsSync(built) ? built : join(ROOT, source);
}

export function programFolder(runFolder: string): string {
  return join(runFolder, "propgate-programs");
}

/** No folders in it: the package manager's folder is beside it. */
export function builtName(source: string): string {
  return `${source.replaceAll("/", "-").replace(/\.ts$/, "")}.js`;
}
