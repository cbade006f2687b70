/** Throws a fault: the program is wrong, not the input. */
export function assert(condition: boolean, broken: string): asserts condition {
  if (!condition) throw brokenInvariant(broken);
}

/** For checks on the hottest paths, where a text that nobody reads would cost more than the check. */
export function brokenInvariant(broken: string): Error {
  return new Error(`broken invariant: ${broken}`);
}

/** Closes a switch over a union: a case that is missing does not compile. */
export function never(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}
