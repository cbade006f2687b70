import type { CorporateActions } from "../market/corporate-action.ts";
import type { FundingRates } from "../market/funding.ts";
import type { Instruments } from "../market/instrument.ts";
import type { Quotes } from "../market/quote.ts";
import type { UnixMs } from "../units.ts";

/** Everything a decision knows about the world: the time, the prices and the catalogue. */
export interface Moment {
  readonly now: UnixMs;
  readonly quotes: Quotes;
  readonly instruments: Instruments;
  /** The announced corporate actions; absent when there are none. */
  readonly actions?: CorporateActions;
  /** The known funding rates; absent when there are none. */
  readonly funding?: FundingRates;
}
