/** Throws: the program is wrong, not the input. */
export function assert(condition: boolean, broken: string): asserts condition {
  if (!condition) throw brokenInvariant(broken);
}

/** For hot paths, where building the text on every call would cost more than the check. */
export function brokenInvariant(broken: string): Error {
  return new Error(`broken invariant: ${broken}`);
}

/** For the default of a switch over a union: a missing case does not compile. */
export function never(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}
