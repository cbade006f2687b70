/** A catalogue or programs file that cannot be used. Its message is one sentence for the operator. */
export class MarketDataError extends Error {
  override readonly name = "MarketDataError";
}
