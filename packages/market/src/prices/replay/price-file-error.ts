/** A price file that cannot be used at all; the message names the file and the problem. */
export class PriceFileError extends Error {
  override readonly name = "PriceFileError";
}
