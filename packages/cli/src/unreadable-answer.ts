/**
 * True for an error that a value of an unexpected type causes where it is used, because an answer differs from the
 * contract.
 */
export function isUnreadable(error: unknown): error is TypeError | RangeError {
  return error instanceof TypeError || error instanceof RangeError;
}
