/** Throws unless the condition holds. Use it for bugs of the program, never for wrong input. */
export function assert(condition: boolean, broken: string): asserts condition {
  if (!condition) throw invariantError(broken);
}

/**
 * The error that `assert` throws. Hot paths check and throw it themselves, so that they build its text only when the
 * check fails.
 */
export function invariantError(broken: string): Error {
  return new Error(`broken invariant: ${broken}`);
}

/** Marks the default of a switch over a union: a missing case does not compile, and throws at run time. */
export function assertNever(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}
