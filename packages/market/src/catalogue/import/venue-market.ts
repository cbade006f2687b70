/** A market of a venue, as far as a catalogue needs it. */
export interface VenueMarket {
  /** The venue's name for it, `BTC/USD`; of a perpetual contract `BTC/USDC:USDC`. */
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly kind: "spot" | "perpetual";
  /** Step of the price; null when the venue does not say. */
  readonly tick: number | null;
  /** Step of the size in base units; null when the venue does not say. */
  readonly sizeStep: number | null;
}

/** A symbol of a contract has the currency that it settles in. */
export function kindOfSymbol(symbol: string): VenueMarket["kind"] {
  return symbol.includes(":") ? "perpetual" : "spot";
}

/** The finest step that a quantity of the network has, in lots. */
const FINEST_STEP = 0.00001;

/** The venue's step of sizes, at least the network's finest; null where it is not a multiple of that. */
export function gridOf({ sizeStep }: VenueMarket): number | null {
  if (sizeStep === null) return null;
  if (sizeStep <= FINEST_STEP) return FINEST_STEP;
  const steps = Number((sizeStep / FINEST_STEP).toPrecision(12));
  return Number.isInteger(steps) ? sizeStep : null;
}
