/** The quotes that a fill may have seen, and the prices that they allow. */
import {
  type Instrument,
  type Instruments,
  type OrderFilled,
  type PairId,
  pairId,
  type Quote,
} from "@propgate/core";
import type { Look } from "../history.ts";
import { signOf } from "./account-model.ts";

/** Prices are kept to twelve digits. */
const NOISE = 1e-11;
/** Dollars are told in whole micro dollars. */
const MICRO = 1e-6;
const KEPT_MS = 600_000;
/** A quote comes to every one of so many, at most, one soon after the other. */
const NODES = 4;

export class PriceBook {
  readonly #quotes = new Map<PairId, Quote[]>();
  #standing: readonly Quote[] = [];
  #lastMs = 0;

  /** What stood on a board when the last look ended may still be what a fill took. */
  take({ quotes, boards, nowMs }: Look): void {
    for (const [pair, kept] of this.#quotes) {
      const fresh = kept.filter(({ atMs }) => atMs >= this.#lastMs - KEPT_MS);
      if (fresh.length < kept.length) this.#quotes.set(pair, fresh);
    }
    const standing = boards.flatMap((board) => [...board.values()]);
    for (const quote of [...this.#standing, ...standing, ...quotes]) this.#add(quote);
    // A board goes on and changes: this is a copy of it.
    this.#standing = standing;
    this.#lastMs = nowMs;
  }

  /** Null: the price is one that a quote allows. */
  problem(fill: OrderFilled, instrument: Instrument, command: string): string | null {
    const known = this.#quotes.get(fill.pair) ?? [];
    if (known.length === 0) return null;
    // An end takes the last price that there was, however old.
    const isForced = FORCED.has(fill.kind) || command === "closeAccount";
    const oldest = isForced ? Number.NEGATIVE_INFINITY : fill.atMs - instrument.staleAfterMs;
    const seen = known.filter((quote) => quote.atMs >= oldest);
    const side = fill.direction === "long" ? "ask" : "bid";
    const worse = 1 + signOf(fill.direction) * fill.slippage;
    const quoted = fill.price / worse;
    const isQuoted = seen.some((quote) => Math.abs(quote[side] - quoted) <= quoted * NOISE);
    if (isQuoted) return isForced ? null : slippageProblem(fill, instrument, quoted);
    return `${fill.price} is no fresh ${side} of ${fill.pair} with a slippage of ${fill.slippage}`;
  }

  /** What of a told position is no price that any board can have had; only in dollars. */
  markProblem(position: Readonly<Record<string, unknown>>, at: Instruments): string | null {
    const { tradePair, netQuantity, netValue } = position;
    if (typeof netQuantity !== "number" || typeof netValue !== "number") return null;
    const pair = pairId(String(tradePair));
    const instrument = at.get(pair);
    const known = this.#quotes.get(pair) ?? [];
    if (instrument?.quote !== "USD" || known.length === 0) return null;
    const units = netQuantity * instrument.lotSize;
    const side = units > 0 ? "bid" : "ask";
    const isKnown = known.some((quote) => Math.abs(units * quote[side] - netValue) <= MICRO);
    return isKnown ? null : `${netValue / units} is no ${side} of ${pair} that anybody had`;
  }

  #add(quote: Quote): void {
    const kept = this.#quotes.get(quote.pair) ?? [];
    const isKnown = kept
      .slice(-NODES)
      .some((one) => one.atMs === quote.atMs && one.bid === quote.bid && one.ask === quote.ask);
    if (!isKnown) kept.push(quote);
    this.#quotes.set(quote.pair, kept);
  }
}

const FORCED: ReadonlySet<OrderFilled["kind"]> = new Set(["elimination", "phaseEnd"]);
const AT_THE_MARKET: ReadonlySet<OrderFilled["kind"]> = new Set(["market", "closePair", "flatten"]);

/** The size that slips is estimated at the quote, so the last digits of it are not judged. */
function slippageProblem(fill: OrderFilled, instrument: Instrument, quoted: number): string | null {
  const { slippage } = instrument;
  const units = (fill.quantity / 100_000) * instrument.lotSize;
  const usd = units * quoted * fill.usdRate;
  const due = AT_THE_MARKET.has(fill.kind) && slippage.kind === "linear" ? usd : 0;
  if (due === 0 || slippage.kind !== "linear") {
    return fill.slippage === 0 ? null : `a ${fill.kind} fill slipped by ${fill.slippage}`;
  }
  const isFree = usd * 1e6 <= slippage.freeUpTo;
  const expected = isFree ? 0 : Math.min(slippage.most, (usd / 1e6) * slippage.perMillion);
  const isNear = Math.abs(fill.slippage - expected) <= expected * 0.01 + 1e-12;
  const isAtTheEdge = Math.abs(usd * 1e6 - slippage.freeUpTo) <= slippage.freeUpTo * 0.01;
  return isNear || isAtTheEdge ? null : `slipped by ${fill.slippage} instead of ${expected}`;
}
