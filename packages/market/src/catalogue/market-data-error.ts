/** Thrown when a catalogue or a programs file cannot be used. The message is one sentence for the operator. */
export class MarketDataError extends Error {
  override readonly name = "MarketDataError";
}
