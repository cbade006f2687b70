/** The error for a price file that cannot be used at all. The message names the file and the problem. */
export class PriceFileError extends Error {
  override readonly name = "PriceFileError";
}

/**
 * The error for a price file that has too many unusable rows or ends too early, and for a tape that was altered. The
 * file is refused, because the usable part would look complete and is not.
 */
export class PriceRowsError extends Error {
  override readonly name = "PriceRowsError";
  readonly fix: string;

  constructor(message: string, fix = CORRECT_ROWS) {
    super(message);
    this.fix = fix;
  }
}

const CORRECT_ROWS =
  "Correct the file. Rows that cannot be used may be more with --max-unusable PERCENT " +
  "(PROPGATE_REPLAY_MAX_UNUSABLE); a file that is cut is never read.";
