/** Assertions for tests and for long runs: they build their text only when they fail. */

/**
 * Checks that two values are identical by `Object.is`.
 * @throws with both values when they are not
 */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  if (!Object.is(actual, expected)) {
    throw new Error(`${what}: ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`);
  }
}

/**
 * Checks that a condition holds.
 * @throws when it does not
 */
export function expectThat(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`does not hold: ${what}`);
}

/**
 * Checks that two numbers differ by at most `within`.
 * @throws when they differ by more
 */
export function expectNear(actual: number, expected: number, { within, what }: Tolerance): void {
  if (!(Math.abs(actual - expected) <= within)) {
    throw new Error(`${what}: ${actual}, expected ${expected} within ${within}`);
  }
}

interface Tolerance {
  readonly within: number;
  readonly what: string;
}
