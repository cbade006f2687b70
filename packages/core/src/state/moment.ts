import type { OrderUuid } from "../ids.ts";
import type { CorporateActions } from "../market/corporate-action.ts";
import type { FundingLookup } from "../market/funding.ts";
import type { Instruments } from "../market/instrument.ts";
import type { Quote, Quotes } from "../market/quote.ts";
import type { UnixMs } from "../units.ts";

/** A quote of each trailing leg, by the leg's uuid. */
export type Bests = ReadonlyMap<OrderUuid, Quote>;

/** Everything a decision knows about the world: the time, the prices and the catalogue. */
export interface Moment {
  readonly now: UnixMs;
  readonly quotes: Quotes;
  readonly instruments: Instruments;
  /** The announced corporate actions; absent when there are none. */
  readonly actions?: CorporateActions;
  /** The known funding rates; absent when there are none. */
  readonly funding?: FundingLookup;
  /**
   * For each trailing leg the quote with the best exit price that was seen since the leg's recorded
   * best, at a time when the leg could follow it. Absent when there are none. @rule D5.trailing
   */
  readonly bests?: Bests;
}
