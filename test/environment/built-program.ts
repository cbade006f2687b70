import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../source-tree.ts";

/** The programs that are built, by their sources as paths from the root. */
export const BUILT_PROGRAMS = [
  "packages/cli/src/main.ts",
  "packages/stand-in/src/main.ts",
  "proofs/validator/service-process.ts",
  "test/hostile/service-process.ts",
] as const;

/**
 * The path of a program that tests start as a process. A run builds it from its sources before the first test, because
 * a service that loads a thousand sources takes twice the processor time to start. Outside of a run it is the source.
 */
export function builtProgramPath(source: (typeof BUILT_PROGRAMS)[number]): string {
  const built = join(programFolder(tmpdir()), builtFileName(source));
  return existsSync(built) ? built : join(ROOT, source);
}

/** The folder of the built programs, in the temporary folder of a run. */
export function programFolder(runFolder: string): string {
  return join(runFolder, "propgate-programs");
}

/** The name of the built file. It has no folders, so that `node_modules` is beside it. */
export function builtFileName(source: string): string {
  return `${source.replaceAll("/", "-").replace(/\.ts$/, "")}.js`;
}
