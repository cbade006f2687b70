/**
 * True for an error that JavaScript throws where the code uses a value of an unexpected type or size. An answer that
 * differs from the contract has such values.
 */
export function isUnreadable(error: unknown): error is TypeError | RangeError {
  return error instanceof TypeError || error instanceof RangeError;
}
