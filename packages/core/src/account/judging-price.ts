/**
 * Whether the present prices may judge an account. A price that is halted, too old or from before the start of the
 * service still values positions, but it judges nothing: no account is eliminated, passed or paid because of a price
 * that the market no longer has. Exits are never held back by this. @rule D13.judges
 */
import type { PairId } from "../ids.ts";
import type { Instrument } from "../market/instrument.ts";
import { leanedOn } from "../market/leaned-on.ts";
import type { Quote } from "../market/quote.ts";
import { isLastPrice, isOpen, isRecent } from "../market/trading.ts";
import { type Result, refuse } from "../result.ts";
import type { AccountState } from "../state/account.ts";
import type { Moment } from "../state/moment.ts";
import type { MicroUsd } from "../units.ts";
import { equityOf } from "./equity.ts";

/** Why the price of a pair judges no account now. */
export type AwaitedReason =
  /** The pair never had a price, or no catalogue contains it. */
  | "missing"
  /**
   * Halted by the operator, or held because its sources differ, until its next quote; also while its market is closed.
   */
  | "halted"
  /** No quote since the process started. */
  | "beforeStart"
  /** Adjusted for a corporate action, and no quote since. */
  | "adjusted"
  /** Older than the pair's limit, or from before the opening. */
  | "stale";

/** A price that an account waits for. */
export interface AwaitedPrice {
  readonly pair: PairId;
  readonly reason: AwaitedReason;
}

/** `clock`: a day's end, a cycle, a transition, carry. `quote`: a pass, a breach, a level. */
export type JudgedBy = "clock" | "quote";

type Judged = Pick<AccountState, "positions">;
type Prices = Pick<Moment, "now" | "quotes" | "instruments">;

/**
 * The first price that the account waits for: of a pair that it holds, or of the rate that converts it to USD. Null
 * when every one of them may judge: a fresh quote, or the last one of a closed market.
 * @rule D13.judges decides
 */
export function awaitedPrice(
  { positions }: Judged,
  prices: Prices,
  by: JudgedBy,
): AwaitedPrice | null {
  for (const { pair } of positions) {
    const instrument = prices.instruments.get(pair);
    if (instrument === undefined) return { pair, reason: "missing" };
    for (const leaned of leanedOn(instrument, prices)) {
      const awaited = awaitedOf(leaned, prices, by);
      if (awaited !== null) return awaited;
    }
  }
  return null;
}

/** The equity by which the account may be judged. @rule D13.judges */
export function judgedEquity(
  state: AccountState,
  prices: Prices,
  by: JudgedBy,
): Result<MicroUsd, AwaitedPrice> {
  const awaited = awaitedPrice(state, prices, by);
  if (awaited !== null) return refuse(awaited);
  const equity = equityOf(state, prices);
  return equity.ok ? equity : refuse({ pair: equity.refusal.pair, reason: "missing" });
}

function awaitedOf(instrument: Instrument, prices: Prices, by: JudgedBy): AwaitedPrice | null {
  const { id: pair } = instrument;
  const quote = prices.quotes.get(pair);
  if (quote === undefined) return { pair, reason: "missing" };
  if (quote.standing === "halted") return { pair, reason: "halted" };
  if (!isOpen(instrument.session, prices.now)) return null;
  const reason = reasonOf(quote, instrument, prices, by);
  return reason === null ? null : { pair, reason };
}

/** Judges the price of a pair whose market is open. */
function reasonOf(
  quote: Quote,
  instrument: Instrument,
  { now }: Prices,
  by: JudgedBy,
): AwaitedReason | null {
  if (isLastPrice(quote, instrument, now)) return null;
  if (quote.standing === "stored") return "beforeStart";
  const { adjustedToMs } = quote;
  // A quote in the scale from before a split that is still to be carried out is as good as the quote itself.
  if (adjustedToMs !== undefined && adjustedToMs >= quote.atMs) return "adjusted";
  if (quote.standing === "given" && by === "clock") return null;
  return isRecent(quote, instrument, now) ? null : "stale";
}
