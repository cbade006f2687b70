/** Throws a fault: the program is wrong, not the input. */
export function assert(condition: boolean, broken: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${broken}`);
}

/** Closes a switch over a union: a case that is missing does not compile. */
export function never(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}
