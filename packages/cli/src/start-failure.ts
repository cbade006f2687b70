import { CliError, EXIT, type ExitCode } from "./cli-error.ts";

/** What is meant for whoever starts the service, by the error's own name. */
const TOLD: ReadonlySet<string> = new Set([
  "CannotStart",
  "DatabaseUnusable",
  "PriceFileError",
  "MarketDataError",
]);

/** Why a service could not start, with what to do; anything that is not known stays a fault. */
export function cannotStart(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  if (TOLD.has(cause.name)) return told(cause, EXIT.cannotStart);
  // What the operating system refuses names the file or address itself, and is no fault of ours.
  if (!("syscall" in cause) || !("code" in cause)) return cause;
  const fix = LISTENING.get(String(cause.code)) ?? null;
  return new CliError({ message: cause.message, fix, exitCode: EXIT.cannotStart }, { cause });
}

/** What the service's own error says, and the way out that it names. */
export function told(cause: Error, exitCode: ExitCode): CliError {
  const fix = "fix" in cause && typeof cause.fix === "string" ? cause.fix : null;
  return new CliError({ message: cause.message, fix, exitCode }, { cause });
}

const LISTENING: ReadonlyMap<string, string> = new Map([
  [
    "EADDRINUSE",
    "Something listens there already. Choose another port with --port, or 0 for a free one.",
  ],
  ["EADDRNOTAVAIL", "This machine has no such address. Choose another with --host."],
  ["EACCES", "This user may not use that port or folder. Choose another with --port or --data."],
  ["ENOTFOUND", "The host's name is not known. Choose another with --host."],
]);
