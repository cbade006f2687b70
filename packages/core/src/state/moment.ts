import type { Instruments } from "../market/instrument.ts";
import type { Quotes } from "../market/quote.ts";
import type { UnixMs } from "../units.ts";

/** Everything a decision knows about the world: the time, the prices and the catalogue. */
export interface Moment {
  readonly now: UnixMs;
  readonly quotes: Quotes;
  readonly instruments: Instruments;
}
