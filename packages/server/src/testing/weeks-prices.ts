/** The model's prices, by the rules about when a price may judge an account and when an order fills at it. */
import { AAPL, BTCUSD, type BtcusdTerms, EURGBP, GBPUSD } from "./weeks-market.ts";

const STALE_MS = 60_000;
const MINUTE_MS = 60_000;
/** A retired pair whose market was open for this long without a price keeps its last price. */
const RETIRED_SILENCE_MS = 3_600_000;
const MICRO = 1_000_000;
const WEEK_MINUTES = 7 * 1_440;

export interface ModelPosition {
  readonly pair: string;
  readonly sign: 1 | -1;
  lots: number;
  entry: number;
  readonly openedAtMs: number;
  stop: number | null;
}

interface Known {
  readonly price: number;
  readonly atMs: number;
  /** True when the price was received since the last restart, and since the last split. */
  readonly isPresent: boolean;
}

/**
 * The prices of the model of many weeks: which quotes it accepts, and at which of them an account is judged or an order
 * fills.
 */
export class ModelPrices {
  nowMs: number;
  readonly #known = new Map<string, Known>();
  readonly #halted = new Set<string>();
  /** Pairs whose halt was lifted, and that have had no quote since then. */
  readonly #lifted = new Set<string>();
  /** The rates of BTCUSD's carry, each with the time from which it applies. */
  readonly #carries: { readonly sinceMs: number; readonly rate: number }[];
  #catalogue: BtcusdTerms;

  constructor(nowMs: number, catalogue: BtcusdTerms) {
    this.nowMs = nowMs;
    this.#catalogue = catalogue;
    this.#carries = [{ sinceMs: 0, rate: catalogue.carryRate }];
  }

  /** Whether a quote of the pair is accepted. A halted pair accepts none, and a closed market has none. */
  accepts(pair: string): boolean {
    return this.isOpen(pair) && !this.#halted.has(pair);
  }

  take(pair: string, price: number): void {
    this.#known.set(pair, { price, atMs: this.nowMs, isPresent: true });
    this.#lifted.delete(pair);
  }

  halt(pair: string): void {
    this.#halted.add(pair);
  }

  /** Ends a halt. The missed work is done at the first accepted quote after it. */
  lift(pair: string): void {
    if (this.#halted.delete(pair)) this.#lifted.add(pair);
  }

  isHalted(pair: string): boolean {
    return this.#halted.has(pair);
  }

  restart(catalogue: BtcusdTerms): void {
    this.#catalogue = catalogue;
    this.#carries.push({ sinceMs: this.nowMs, rate: catalogue.carryRate });
    this.#lifted.clear();
    for (const [pair, known] of this.#known) this.#known.set(pair, { ...known, isPresent: false });
  }

  /**
   * Puts the price on the new scale. It values positions, but in an open market no account is judged at it until the
   * next quote.
   */
  split(pair: string, factor: number): void {
    const known = this.#known.get(pair);
    if (known === undefined) return;
    this.#known.set(pair, { ...known, price: known.price / factor, isPresent: false });
  }

  priceOf = (pair: string): number => this.#known.get(pair)?.price ?? Number.NaN;

  atMsOf(pair: string): number {
    return this.#known.get(pair)?.atMs ?? 0;
  }

  /** The price in USD of one unit of the pair's quote currency. */
  usdOf = (pair: string): number => (pair === EURGBP ? this.priceOf(GBPUSD) : 1);

  valueOf({ pair, lots }: ModelPosition): number {
    return Math.round(lots * unitsOf(pair) * this.priceOf(pair) * this.usdOf(pair) * MICRO);
  }

  openPnlOf({ pair, sign, lots, entry }: ModelPosition): number {
    const gain = (this.priceOf(pair) - entry) * lots * unitsOf(pair) * this.usdOf(pair);
    return sign * Math.round(gain * MICRO);
  }

  /** The fee for opening or closing the position at the present price. */
  feeOf(position: ModelPosition): number {
    return position.pair === BTCUSD
      ? Math.round(this.valueOf(position) * this.#catalogue.feeRate)
      : 0;
  }

  isBlocked(pair: string): boolean {
    return pair === BTCUSD && this.#catalogue.standing !== "offered";
  }

  /**
   * The rate of carry at a time. A changed rate applies from the first start with it; a charge that was due earlier has
   * the former rate.
   */
  carryRateAt(dueMs: number): number {
    return this.#carries.findLast(({ sinceMs }) => sinceMs <= dueMs)?.rate ?? Number.NaN;
  }

  mayJudge(pair: string): boolean {
    return this.#hasUsablePrice(pair) && (pair !== EURGBP || this.#hasUsablePrice(GBPUSD));
  }

  /** Whether orders fill and stops act: the market is open and the pair has a usable price. */
  isTradable(pair: string): boolean {
    return this.isOpen(pair) && this.#hasUsablePrice(pair);
  }

  isOpen(pair: string): boolean {
    return isOpenAt(pair, this.nowMs);
  }

  #isRetired(pair: string): boolean {
    return pair === BTCUSD && this.#catalogue.standing === "retired";
  }

  /**
   * Whether the pair has a usable price: a fresh quote, the last one of a closed market, or that of a retired pair. A
   * halted pair has none until its first quote after the halt.
   */
  #hasUsablePrice(pair: string): boolean {
    const known = this.#known.get(pair);
    const isHalted = this.#halted.has(pair) || this.#lifted.has(pair);
    if (known === undefined || isHalted) return false;
    if (!this.isOpen(pair)) return true;
    const { atMs, isPresent } = known;
    if (this.#isRetired(pair) && this.nowMs - atMs >= RETIRED_SILENCE_MS) return true;
    return isPresent && this.nowMs - atMs <= STALE_MS && isOpenAt(pair, atMs);
  }
}

function isOpenAt(pair: string, atMs: number): boolean {
  if (pair === BTCUSD) return true;
  const at = new Date(atMs);
  const minute = at.getUTCHours() * 60 + Math.floor((atMs % 3_600_000) / MINUTE_MS);
  const day = at.getUTCDay();
  if (pair === AAPL) return day >= 1 && day <= 5 && minute >= 870 && minute < 1_260;
  // The market is open from Sunday 22:00 to Friday 22:00 UTC.
  const week = (day * 1_440 + minute) % WEEK_MINUTES;
  return week >= 1_320 && week < 5 * 1_440 + 1_320;
}

function unitsOf(pair: string): number {
  return pair === BTCUSD || pair === AAPL ? 1 : 100_000;
}
