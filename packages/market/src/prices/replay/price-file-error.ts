/** A price file that cannot be used at all; the message names the file and the problem. */
export class PriceFileError extends Error {
  override readonly name = "PriceFileError";
}

/** Too much of a price file cannot be used, or it ends too early: what is left would only look whole. */
export class PriceRowsError extends Error {
  override readonly name = "PriceRowsError";
  readonly fix =
    "Correct the file. Rows that cannot be used may be more with --max-unusable PERCENT " +
    "(PROPGATE_REPLAY_MAX_UNUSABLE); a file that is cut is never read.";
}
