/** Stable exit codes: a script may rely on them. */
export const EXIT = {
  done: 0,
  /** The answer is no: a signature differs, a journal is broken, the service refused. */
  refused: 1,
  /** An option, an argument, an environment value or a file is wrong. */
  usage: 2,
  /** The service does not answer, or is unavailable for the moment. */
  unreachable: 3,
  /** The operator token is missing or is not this service's. */
  notAllowed: 4,
  /** The service cannot start: port, data folder or database. */
  cannotStart: 5,
  /** An order was sent, and the service did not say in time whether it accepted it. */
  unknownFate: 6,
  /** A fault of this program. */
  fault: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface Problem {
  /** What went wrong, with its cause. */
  readonly message: string;
  /** What to do about it; null when there is nothing. */
  readonly fix: string | null;
  readonly exitCode: ExitCode;
}

/** Ends the command with a message for a person and a code for a script. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.message, options);
    this.problem = problem;
  }
}

/** Ends the command with a code alone: its result has been printed and is no error. */
export class EndWith extends Error {
  override readonly name = "EndWith";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}

export function usageError(message: string, fix: string | null = null): CliError {
  return new CliError({ message, fix, exitCode: EXIT.usage });
}
