/** Throws unless the condition holds. Use it for bugs of the program, never for wrong input. */
export function assert(condition: boolean, broken: string): asserts condition {
  if (!condition) throw brokenInvariant(broken);
}

/** The error of `assert`. Hot paths build it themselves, because the text would cost more than the check. */
export function brokenInvariant(broken: string): Error {
  return new Error(`broken invariant: ${broken}`);
}

/** Marks the default of a switch over a union: a missing case does not compile. */
export function never(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}
