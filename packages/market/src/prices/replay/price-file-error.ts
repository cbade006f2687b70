/** A price file that cannot be used at all; the message names the file and the problem. */
export class PriceFileError extends Error {
  override readonly name = "PriceFileError";
}

/**
 * Too much of a price file cannot be used, it ends too early, or a tape was altered: what is left would only look
 * whole.
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
