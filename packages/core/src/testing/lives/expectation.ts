/** Assertions for tests and for long runs, which cost little while they hold. */

/** @throws with both values unless they are the same value. */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (!Object.is(actual, expected)) {
    throw new Error(`${what}: ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`);
  }
}

/** @throws unless the condition holds. */
export function holds(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`does not hold: ${what}`);
}

/** @throws unless the two differ by at most `within`. */
export function near(actual: number, expected: number, { within, what }: Tolerance): void {
  if (!(Math.abs(actual - expected) <= within)) {
    throw new Error(`${what}: ${actual}, expected ${expected} within ${within}`);
  }
}

interface Tolerance {
  readonly within: number;
  readonly what: string;
}
