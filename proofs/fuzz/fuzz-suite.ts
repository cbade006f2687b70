import fc from "fast-check";

/** The number of inputs and the seed of a suite. The same plan gives the same inputs. */
export interface FuzzPlan {
  readonly runs: number;
  readonly seed: number;
}

/** The result of one run of a suite. */
export interface FuzzResult {
  readonly name: string;
  /** The number of inputs, without those that only made a failing input smaller. */
  readonly runs: number;
  readonly failures: number;
  /** The smallest failing input and its reason; null when no input fails. */
  readonly failing: string | null;
}

/**
 * A property of the service that must hold for every random input. `defaultRuns` is the number of inputs in the tests
 * at depth 1.
 */
export interface FuzzSuite {
  readonly name: string;
  readonly defaultRuns: number;
  run(plan: FuzzPlan): Promise<FuzzResult>;
}

/** Suites that share one subject, such as a running service. */
export interface FuzzGroup {
  readonly name: string;
  open(): Promise<OpenFuzzGroup>;
}

/** The suites of a group whose subject was started, and the functions that check the subject and end it. */
export interface OpenFuzzGroup {
  readonly suites: readonly FuzzSuite[];
  /** Checks that the subject still works. @throws when it does not */
  expectSound(): Promise<void>;
  close(): Promise<void>;
}

const TEXT_MAX = 4_000;

/** Creates a suite. Its property fails for an input when `try` throws. */
export function createFuzzSuite<Input>(suite: {
  readonly name: string;
  readonly defaultRuns: number;
  readonly inputs: fc.Arbitrary<Input>;
  readonly try: (input: Input) => Promise<void>;
}): FuzzSuite {
  const { name, defaultRuns, inputs } = suite;
  const property = fc.asyncProperty(inputs, (input) => suite.try(input));
  return {
    name,
    defaultRuns,
    async run({ runs, seed }) {
      const details = await fc.check(property, { numRuns: runs, seed });
      const failing = details.failed ? failureText(details) : null;
      return { name, runs: details.numRuns, failures: details.failed ? 1 : 0, failing };
    },
  };
}

function failureText(details: {
  readonly errorInstance: unknown;
  readonly counterexample: unknown;
}): string {
  const { errorInstance: cause, counterexample } = details;
  const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return `${fc.stringify(counterexample).slice(0, TEXT_MAX)}\n${why.slice(0, TEXT_MAX)}`;
}
