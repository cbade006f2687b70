/** True for the error of a value that has another type than the contract's, which fails where the value is used. */
export function isUnreadable(error: unknown): error is TypeError | RangeError {
  return error instanceof TypeError || error instanceof RangeError;
}
