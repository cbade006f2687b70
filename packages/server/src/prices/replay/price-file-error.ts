/** A price file that cannot be used at all; the text names the file and what is wrong with it. */
export class PriceFileError extends Error {
  override readonly name = "PriceFileError";
}
