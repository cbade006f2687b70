/**
 * Whether the present prices may judge an account. The price of a halted pair, a price that is too old or from before
 * the start of the service, and one that was adjusted for a corporate action still value positions, but judge no
 * account: none is eliminated, passed or paid because of a price that the market may have left. Exits do not wait for a
 * price that may judge. @rule D13.judges
 */
import type { PairId } from "../ids.ts";
import type { Instrument } from "../market/instrument.ts";
import type { Quote } from "../market/quote.ts";
import { isLastPrice, isOpen, isRecent } from "../market/trading.ts";
import { valuationInstruments } from "../market/valuation-instruments.ts";
import { type Result, refuse } from "../result.ts";
import type { AccountState } from "../state/account.ts";
import type { Moment } from "../state/moment.ts";
import type { MicroUsd } from "../units.ts";
import { equityOf } from "./equity.ts";

/** The reason why a price judges no account at present. */
export type AwaitedReason =
  /** The pair has never had a price, its quote currency has no rate, or no catalogue contains the pair. */
  | "missing"
  /**
   * The pair is halted, for example by an operator or because its sources differ. After most halts this lasts until the
   * next quote of the pair. Its price judges no account even while its market is closed.
   */
  | "halted"
  /** The pair had no quote since the process started. */
  | "beforeStart"
  /** The quote was adjusted for a corporate action, and there was no quote since. */
  | "adjusted"
  /** The quote is older than the pair's maximum age, from before the market opened, or from the future. */
  | "stale";

/** A price for which an account waits. */
export interface AwaitedPrice {
  readonly pair: PairId;
  readonly reason: AwaitedReason;
}

/**
 * The reason why a judgement is necessary. `clock`: the end of a day, of a payout cycle or of a transition, or carry.
 * `quote`: a passed challenge, a breach or a recorded level.
 */
export type JudgementCause = "clock" | "quote";

type JudgedPositions = Pick<AccountState, "positions">;
type JudgingMoment = Pick<Moment, "now" | "quotes" | "instruments">;

/**
 * The first price that the account waits for: of a pair that it holds, or of the pair that converts this one to USD.
 * Null when all of them may judge: each is recent, or is the last price of a closed market or of a retired pair. For
 * the cause `clock`, a price that a caller who moves the clock has set may also be old. @rule D13.judges decides
 */
export function awaitedPrice(
  { positions }: JudgedPositions,
  prices: JudgingMoment,
  by: JudgementCause,
): AwaitedPrice | null {
  for (const { pair } of positions) {
    const instrument = prices.instruments.get(pair);
    if (instrument === undefined) return { pair, reason: "missing" };
    for (const valued of valuationInstruments(instrument, prices)) {
      const awaited = awaitedPriceOfPair(valued, prices, by);
      if (awaited !== null) return awaited;
    }
  }
  return null;
}

/** The equity by which the account may be judged; refused with the first price that it waits for. @rule D13.judges */
export function judgedEquity(
  state: AccountState,
  prices: JudgingMoment,
  by: JudgementCause,
): Result<MicroUsd, AwaitedPrice> {
  const awaited = awaitedPrice(state, prices, by);
  if (awaited !== null) return refuse(awaited);
  const equity = equityOf(state, prices);
  return equity.ok ? equity : refuse({ pair: equity.refusal.pair, reason: "missing" });
}

function awaitedPriceOfPair(
  instrument: Instrument,
  prices: JudgingMoment,
  by: JudgementCause,
): AwaitedPrice | null {
  const { id: pair } = instrument;
  const quote = prices.quotes.get(pair);
  if (quote === undefined) return { pair, reason: "missing" };
  if (quote.standing === "halted") return { pair, reason: "halted" };
  if (!isOpen(instrument.session, prices.now)) return null;
  const reason = awaitedReasonOf(quote, instrument, prices, by);
  return reason === null ? null : { pair, reason };
}

/** Why the price of a pair whose market is open may not judge; null when it may. */
function awaitedReasonOf(
  quote: Quote,
  instrument: Instrument,
  { now }: JudgingMoment,
  by: JudgementCause,
): AwaitedReason | null {
  if (isLastPrice(quote, instrument, now)) return null;
  if (quote.standing === "stored") return "beforeStart";
  const { adjustedToMs } = quote;
  // After the moment of a split or dividend, some time may pass until it is carried out on the account. A newer quote
  // is adjusted back to the former scale until then, and judges like the original quote.
  if (adjustedToMs !== undefined && adjustedToMs >= quote.atMs) return "adjusted";
  if (quote.standing === "given" && by === "clock") return null;
  return isRecent(quote, instrument, now) ? null : "stale";
}
