/** The quotes that a fill may have used, and the prices that they allow. */
import {
  type Instrument,
  type Instruments,
  type OrderFilled,
  type PairId,
  pairId,
  type Quote,
} from "@propgate/core";
import type { Observation } from "../checker.ts";
import { signOf } from "./account-model.ts";
import { type AnnouncedAction, quoteInEachScale } from "./announced-actions.ts";

/** Two prices that differ by a smaller share than this count as equal, because prices have twelve digits. */
const NOISE = 1e-11;
/** Two values in USD that differ by less than this count as equal, because answers have whole micro dollars. */
const MICRO = 1e-6;
const KEPT_MS = 600_000;
/** The largest number of nodes that can receive the same quote. */
const NODES = 4;

export class AllowedPrices {
  readonly #quotes = new Map<PairId, Quote[]>();
  #onBoards: readonly Quote[] = [];
  #lastMs = 0;
  #actions: readonly AnnouncedAction[] = [];

  /**
   * Adds the new quotes. The quotes of the boards at the last observation count too, because a fill may have used one
   * of them.
   */
  addObserved({ quotes, boards, nowMs }: Observation, actions: readonly AnnouncedAction[]): void {
    this.#actions = actions;
    for (const [pair, kept] of this.#quotes) {
      const fresh = kept.filter(({ atMs }) => atMs >= this.#lastMs - KEPT_MS);
      if (fresh.length < kept.length) this.#quotes.set(pair, fresh);
    }
    const onBoards = boards.flatMap((board) => [...board.values()]);
    for (const quote of [...this.#onBoards, ...onBoards, ...quotes]) this.#add(quote);
    // `onBoards` is a copy, because the boards change.
    this.#onBoards = onBoards;
    this.#lastMs = nowMs;
  }

  /** The problem of a fill's price; null when a known quote allows it, or when no quote of the pair is known. */
  problem(fill: OrderFilled, instrument: Instrument, command: string): string | null {
    const known = this.#quotes.get(fill.pair) ?? [];
    if (known.length === 0) return null;
    // A fill that ends an account or a phase, or that sells the fraction of a share after a split, uses the last quote,
    // even a stale one.
    const isForced = FORCED.has(fill.kind) || command === "closeAccount";
    // The exit of a retired pair fills at the last price when no source has another (D13.retired).
    const isLast = instrument.retired === true;
    const oldest =
      isForced || isLast ? Number.NEGATIVE_INFINITY : fill.atMs - instrument.staleAfterMs;
    const usable = known
      .filter((quote) => quote.atMs >= oldest)
      .flatMap((quote) => (isForced ? quoteInEachScale(quote, this.#actions) : [quote]));
    const side = fill.direction === "long" ? "ask" : "bid";
    const worse = 1 + signOf(fill.direction) * fill.slippage;
    const quoted = fill.price / worse;
    const isQuoted = usable.some((quote) => Math.abs(quote[side] - quoted) <= quoted * NOISE);
    if (isQuoted) return isForced ? null : slippageProblem(fill, instrument, quoted);
    return `${fill.price} is not a fresh ${side} of ${fill.pair} with a slippage of ${fill.slippage}`;
  }

  /**
   * The problem of a position's value in an answer: no board can have had the mark that gives this value. Null when
   * there is no problem. Only pairs that are priced in dollars are checked.
   */
  markProblem(position: Readonly<Record<string, unknown>>, at: Instruments): string | null {
    const { tradePair, netQuantity, netValue } = position;
    if (typeof netQuantity !== "number" || typeof netValue !== "number") return null;
    const pair = pairId(String(tradePair));
    const instrument = at.get(pair);
    const known = this.#quotes.get(pair) ?? [];
    if (instrument?.quote !== "USD" || known.length === 0) return null;
    const units = netQuantity * instrument.lotSize;
    const side = units > 0 ? "bid" : "ask";
    const isKnown = known
      .flatMap((quote) => quoteInEachScale(quote, this.#actions))
      .some((quote) => Math.abs(units * quote[side] - netValue) <= MICRO);
    return isKnown ? null : `${netValue / units} is not a ${side} of ${pair} that any board had`;
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

const FORCED: ReadonlySet<OrderFilled["kind"]> = new Set(["elimination", "phaseEnd", "cashInLieu"]);
const AT_THE_MARKET: ReadonlySet<OrderFilled["kind"]> = new Set([
  "market",
  "closePair",
  "flatten",
  "switch",
]);

/**
 * The problem of a fill's slippage; null when it is right. The value of the fill is estimated at the quote, so small
 * differences do not count.
 */
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
