/** A proof of the service: a long run that searches for broken promises. Its folder has the proof's name. */
export interface Proof {
  /** The name after `npm run prove --`. */
  readonly name: string;
  /** One sentence for the list of proofs. */
  readonly sentence: string;
  readonly options: Readonly<Record<string, ProofOption>>;
  /** Runs the proof and returns a result that can be written as JSON. @throws when the proof cannot run */
  readonly run: (given: OptionValues, report: ReportLine) => Promise<unknown>;
  /**
   * Reads a result. `former` holds the rows of the record that the result replaces; empty when no record is written.
   */
  readonly read: (result: unknown, former: readonly ProofRow[]) => ShownResult;
  /** The runs at full size. Each has its own record and its own section on the reliability page. */
  readonly fullRuns: readonly [FullRun, ...FullRun[]];
}

export interface ProofOption {
  /** The placeholder of the option's value in the usage, such as `N`. */
  readonly value: string;
  /** The value of the option when it is not given; empty for none. */
  readonly fallback: string;
  readonly meaning: string;
  /** True for an option that does not change the result, such as a date. */
  readonly isLocal?: true;
}

/** The values of all options of a proof, by option name. */
export type OptionValues = Readonly<Record<string, string>>;

/** Reports a line about the progress of a run. */
export type ReportLine = (line: string) => void;

/** A run of a proof at full size, with its section on the reliability page. */
export interface FullRun {
  /** The name of the record's file in `proofs/records`, without its extension. */
  readonly record: string;
  readonly title: string;
  readonly promise: string;
  /** The values of the options at full size. */
  readonly size: OptionValues;
  /** True when the run needs a PostgreSQL database, which `--database-url` names. */
  readonly isOnPostgres?: true;
}

/** One row of a table: numbers and texts by column. */
export type ProofRow = Readonly<Record<string, number | string>>;

/** The part of a result that the terminal and the reliability page show. */
export interface ShownResult {
  readonly passed: boolean;
  /** Numbers and texts by their labels on the page. */
  readonly figures: ProofRow;
  /** A table below the figures, such as the planted bugs with the tests that caught them. */
  readonly rows?: readonly ProofRow[];
}

/** The record of one run of a proof: a file in `proofs/records`. */
export interface ProofRecord extends ShownResult {
  /** The day of the run, such as 2026-11-21. */
  readonly at: string;
  /** The command that repeats the run. */
  readonly command: string;
}

/** Thrown for wrong options of a proof. Its message is shown to the user. */
export class WrongOptionsError extends Error {}

/** The value of an option. @throws WrongOptionsError when the proof has no such option */
export function textOption(given: OptionValues, name: string): string {
  const value = given[name];
  if (value === undefined) throw new WrongOptionsError(`there is no --${name}`);
  return value;
}

/** The value of an option as a number. @throws WrongOptionsError when it is not a whole number */
export function wholeNumberOption(given: OptionValues, name: string): number {
  const text = textOption(given, name);
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new WrongOptionsError(`--${name} must be a whole number, not ${text}`);
}

/** The `--database-url` of a proof whose nodes share a database. @throws WrongOptionsError when it is not given */
export function serverUrlOption(given: OptionValues): string {
  const url = optionalTextOption(given, "database-url");
  if (url === null) throw new WrongOptionsError("--database-url is needed: two nodes share it");
  return url;
}

/** The value of an option; null when the option was not given. */
export function optionalTextOption(given: OptionValues, name: string): string | null {
  const text = textOption(given, name);
  return text === "" ? null : text;
}
