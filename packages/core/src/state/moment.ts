import type { OrderUuid } from "../ids.ts";
import type { CorporateActions } from "../market/corporate-action.ts";
import type { FundingLookup } from "../market/funding.ts";
import type { Instruments } from "../market/instrument.ts";
import type { Quote, Quotes } from "../market/quote.ts";
import type { UnixMs } from "../units.ts";

/** For trailing legs, by their uuid: the quote with the best exit price that the leg could follow. */
export type BestQuotes = ReadonlyMap<OrderUuid, Quote>;

/** Everything that a decision knows apart from the account: the time, the prices and the catalogue. */
export interface Moment {
  readonly now: UnixMs;
  readonly quotes: Quotes;
  readonly instruments: Instruments;
  /** The announced corporate actions; absent when there are none. */
  readonly actions?: CorporateActions;
  /** The known funding rates; absent when there are none. */
  readonly funding?: FundingLookup;
  /**
   * For each trailing leg the quote with the best exit price since the leg's recorded best, among the quotes that the
   * leg could follow. Absent when there are none. @rule D5.trailing
   */
  readonly bests?: BestQuotes;
}
