/** Checks that run in a test and in a program alike, and cost nothing while they hold. */

/** Throws with both values unless they are the same one. */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (!Object.is(actual, expected)) {
    throw new Error(`${what}: ${JSON.stringify(actual)} where ${JSON.stringify(expected)} is due`);
  }
}

/** Throws unless it holds. */
export function holds(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`does not hold: ${what}`);
}

/** Throws unless the two differ by no more than `within`. */
export function near(actual: number, expected: number, { within, what }: Tolerance): void {
  if (!(Math.abs(actual - expected) <= within)) {
    throw new Error(`${what}: ${actual} is further than ${within} from ${expected}`);
  }
}

interface Tolerance {
  readonly within: number;
  readonly what: string;
}
