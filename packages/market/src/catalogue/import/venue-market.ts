/** The properties of a venue's market that a catalogue needs. */
export interface VenueMarket {
  /** The venue's name for the market: `BTC/USD`, for a perpetual contract `BTC/USDC:USDC`. */
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly kind: "spot" | "perpetual";
  /** The step of the price; null when the venue states none. */
  readonly tick: number | null;
  /** The step of the size in base units; null when the venue states none. */
  readonly sizeStep: number | null;
}

/** The kind of a symbol. Only the symbol of a contract has a colon, before the currency in which it settles. */
export function kindOfSymbol(symbol: string): VenueMarket["kind"] {
  return symbol.includes(":") ? "perpetual" : "spot";
}

/** The finest step of a quantity in the service, in lots. */
const FINEST_STEP = 0.00001;

/**
 * The grid for a market, in lots of one base unit: the venue's step of sizes, or the service's finest step when the
 * venue's step is finer. Null when the venue states no step, or one that is not a multiple of the finest step.
 */
export function gridOf({ sizeStep }: VenueMarket): number | null {
  if (sizeStep === null) return null;
  if (sizeStep <= FINEST_STEP) return FINEST_STEP;
  const steps = Number((sizeStep / FINEST_STEP).toPrecision(12));
  return Number.isInteger(steps) ? sizeStep : null;
}
