import fc from "fast-check";

/** How often and from which seed a property is tried; the same two give the same inputs. */
export interface FuzzPlan {
  readonly runs: number;
  readonly seed: number;
}

/** What a suite found. */
export interface FuzzResult {
  readonly name: string;
  /** Inputs that were tried, those that shrank a failing one not counted. */
  readonly runs: number;
  readonly failures: number;
  /** The smallest input that fails, and why; null when none does. */
  readonly failing: string | null;
}

/** One property of the service and how often the default suite tries it. */
export interface FuzzSuite {
  readonly name: string;
  readonly defaultRuns: number;
  run(plan: FuzzPlan): Promise<FuzzResult>;
}

/** Suites that share what they are held against, a running service for one. */
export interface FuzzGroup {
  readonly name: string;
  open(): Promise<OpenGroup>;
}

export interface OpenGroup {
  readonly suites: readonly FuzzSuite[];
  /** Throws unless what the suites were held against is as sound as before. */
  expectSound(): Promise<void>;
  close(): Promise<void>;
}

/** Where a suite of the tests starts, so that a red run is red again. */
export const DEFAULT_SEED = 20_260_105;
const TEXT_MAX = 4_000;

/** `try` throws when the property does not hold of an input. */
export function fuzzSuite<Input>(suite: {
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
