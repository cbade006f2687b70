/** Stable exit codes for scripts. */
export const EXIT = {
  done: 0,
  /**
   * The answer is negative, for example because a signature differs, a journal is broken, or the service rejected the
   * request or a part of it.
   */
  refused: 1,
  /** An option, an argument, an environment value or a file is wrong. */
  usage: 2,
  /**
   * The service, or a database or receiver that the command uses, does not answer or is unavailable at the moment. Or
   * its answer cannot be read.
   */
  unreachable: 3,
  /** The operator token is missing, or the service rejects it. */
  notAllowed: 4,
  /**
   * The service cannot start, for example because of its port, data folder, database or prices. Or the output cannot be
   * written.
   */
  cannotStart: 5,
  /** The fate of an order is unknown: it was sent, and no answer came in time. */
  unknownFate: 6,
  /** A fault of this program. */
  fault: 70,
} as const;

/** The exit code with which a command ends, from `EXIT`. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Why a command failed, for a person and for a script. */
export interface Problem {
  /** The problem and its cause. */
  readonly message: string;
  /** The remedy for the person; null when there is none. */
  readonly fix: string | null;
  readonly exitCode: ExitCode;
  /** The wrong field of a request to the operator's interface, for programs. Null when no single field is wrong. */
  readonly field?: string | null;
}

/** Ends the command with a message for a person and an exit code for a script. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.message, options);
    this.problem = problem;
  }
}

/** Ends the command with an exit code after its result was printed. */
export class EndWith extends Error {
  override readonly name = "EndWith";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** The error of a command line or a setting that is wrong. */
export function usageError(message: string, fix: string | null = null): CliError {
  return new CliError({ message, fix, exitCode: EXIT.usage });
}
