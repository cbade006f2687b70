const PREFIX = "propgate-run-";

/**
 * The name of this run; only the runner's own process gets the right value. The run's temporary folder has this name,
 * so its processes and databases can be recognized.
 */
export const RUN_NAME = `${PREFIX}${process.pid}`;

/** The name of the run to which a temporary folder belongs; null outside of a run. */
export function runNameOf(folder: string): string | null {
  return folder.split("/").find((name) => name.startsWith(PREFIX)) ?? null;
}

/** The process id in the name of a run; null when the text is not the name of a run. */
export function runnerPidOf(run: string): number | null {
  return run.startsWith(PREFIX) ? Number(run.slice(PREFIX.length)) : null;
}

/** The beginning of the names of a run's databases. Without a run it is `propgate_`. */
export function databasePrefix(run: string | null): string {
  return `${run?.replaceAll("-", "_") ?? "propgate"}_`;
}
