const PREFIX = "propgate-run-";

/** The name of this run for its runner. Its temporary folder has it, so processes and databases of the run do too. */
export const RUN_NAME = `${PREFIX}${process.pid}`;

/** The run whose temporary folder this is; null outside a run. */
export function runOf(folder: string): string | null {
  return folder.split("/").find((name) => name.startsWith(PREFIX)) ?? null;
}

/** The runner's process; null if it is not the name of a run. */
export function runnerOf(run: string): number | null {
  return run.startsWith(PREFIX) ? Number(run.slice(PREFIX.length)) : null;
}

/** How the names of the run's databases begin. */
export function databasePrefix(run: string | null): string {
  return `${run?.replaceAll("-", "_") ?? "propgate"}_`;
}
