/** A proof of the service: a long run that searches for broken promises. Its folder has the same name. */
export interface Proof {
  /** The word after `npm run prove --`. */
  readonly name: string;
  /** One sentence for the list of proofs. */
  readonly sentence: string;
  readonly options: Readonly<Record<string, ProofOption>>;
  /** Runs the proof and returns a result that can be written as JSON. @throws when the proof cannot run. */
  readonly run: (given: Given, report: Report) => Promise<unknown>;
  /** Reads a result; `former` holds the rows of the record that the new one replaces. */
  readonly read: (result: unknown, former: readonly ProofRow[]) => Shown;
  /** The runs at full size. Each has a record and a section on the page of reliability. */
  readonly fullRuns: readonly [FullRun, ...FullRun[]];
}

export interface ProofOption {
  /** The placeholder of its value in the usage, such as `N`. */
  readonly value: string;
  /** The value when the option is not given; an empty string means no value. */
  readonly fallback: string;
  readonly meaning: string;
  /** True for options that do not change the result, such as a date. */
  readonly isLocal?: true;
}

/** The values of all options of a proof, by their names. */
export type Given = Readonly<Record<string, string>>;

/** Writes a line about the progress of a run. */
export type Report = (line: string) => void;

export interface FullRun {
  /** The file in `proofs/records`, without its ending. */
  readonly record: string;
  readonly title: string;
  readonly promise: string;
  /** Options of the full size. */
  readonly size: Given;
  /** True when the run uses the PostgreSQL database of `--database-url`. */
  readonly isOnPostgres?: true;
}

export type ProofRow = Readonly<Record<string, number | string>>;

export interface Shown {
  readonly passed: boolean;
  /** Counts and texts, by their labels on the page. */
  readonly figures: ProofRow;
  /** A table below the figures, such as the planted bugs with the tests that caught them. */
  readonly rows?: readonly ProofRow[];
}

/** The result of one full run of a proof: a file in `proofs/records`. */
export interface ProofRecord extends Shown {
  /** The day of the run, such as 2026-11-21. */
  readonly at: string;
  /** The command that reproduces it. */
  readonly command: string;
}

/** The options of a proof are wrong. Its message is shown to the user. */
export class WrongOptions extends Error {}

export function textOption(given: Given, name: string): string {
  const value = given[name];
  if (value === undefined) throw new WrongOptions(`there is no --${name}`);
  return value;
}

export function wholeNumber(given: Given, name: string): number {
  const text = textOption(given, name);
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new WrongOptions(`--${name} must be a whole number, not ${text}`);
}

/** The `--database-url` of a proof whose nodes share a database. */
export function serverUrlOf(given: Given): string {
  const url = optionalText(given, "database-url");
  if (url === null) throw new WrongOptions("--database-url is needed: two nodes share it");
  return url;
}

/** Null when the option was not given. */
export function optionalText(given: Given, name: string): string | null {
  const text = textOption(given, name);
  return text === "" ? null : text;
}
