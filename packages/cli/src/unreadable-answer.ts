/** Whether an answer was of another form than the contract's: a value of another type fails where it is used. */
export function isUnreadable(error: unknown): error is TypeError | RangeError {
  return error instanceof TypeError || error instanceof RangeError;
}
