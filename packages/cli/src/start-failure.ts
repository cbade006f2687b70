import { CliError, EXIT, type ExitCode } from "./cli-error.ts";

/** The exit code of each error of the service whose message is written for operators, by the error's name. */
const OPERATOR_ERRORS: ReadonlyMap<string, ExitCode> = new Map([
  ["CannotStart", EXIT.cannotStart],
  ["DatabaseUnusable", EXIT.cannotStart],
  ["PriceFileError", EXIT.cannotStart],
  // The service could read the file but rejects its content.
  ["PriceRowsError", EXIT.refused],
  ["MarketDataError", EXIT.cannotStart],
  ["UnfitSettings", EXIT.usage],
]);

/** The error of a failed start as a `CliError` with its remedy. An unknown error is returned unchanged, as a fault. */
export function startFailure(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const exitCode = OPERATOR_ERRORS.get(cause.name);
  if (exitCode !== undefined) return startupError(cause, exitCode);
  // An error of the operating system is not a fault, and its message names the file or the address.
  if (!("syscall" in cause) || !("code" in cause)) return cause;
  const fix = LISTEN_FIXES.get(String(cause.code)) ?? null;
  return new CliError({ message: cause.message, fix, exitCode: EXIT.cannotStart }, { cause });
}

/** An error of the service as a `CliError`, with the remedy that the error names. */
export function startupError(cause: Error, exitCode: ExitCode): CliError {
  const fix = "fix" in cause && typeof cause.fix === "string" ? cause.fix : null;
  return new CliError({ message: cause.message, fix, exitCode }, { cause });
}

const LISTEN_FIXES: ReadonlyMap<string, string> = new Map([
  [
    "EADDRINUSE",
    "Another program already uses this port. Choose another port with --port, or 0 for a free one.",
  ],
  ["EADDRNOTAVAIL", "This machine has no such address. Choose another with --host."],
  ["EACCES", "This user may not use that port or folder. Choose another with --port or --data."],
  ["ENOTFOUND", "The host's name is not known. Choose another with --host."],
]);
