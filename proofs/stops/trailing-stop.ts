/**
 * This file models a trailing stop by the rules of the specification, with the levels that the service has shown for
 * it.
 */

export type PositionDirection = "LONG" | "SHORT";

/** The distance of a trailing stop: a ratio of the price, or a difference in price. */
export interface TrailingDistance {
  readonly by: "trailing_percent" | "trailing_value";
  readonly amount: number;
}

export interface SentQuote {
  readonly bid: number;
  readonly ask: number;
}

/** The trailing stop of one open position. */
export class TrailingStop {
  readonly #direction: PositionDirection;
  readonly #distance: TrailingDistance;
  /** The level after every quote that was sent. The service can show no level that is nearer to the market. */
  #followed: number;
  /** The level nearest to the market that an answer has shown; null before the first one. */
  #shown: number | null = null;
  /** The number of times that a shown level was nearer to the market than the level shown before it. */
  moves = 0;

  constructor(direction: PositionDirection, distance: TrailingDistance, opened: SentQuote) {
    this.#direction = direction;
    this.#distance = distance;
    this.#followed = this.#levelBehind(opened);
  }

  get shown(): number | null {
    return this.#shown;
  }

  follow(quote: SentQuote): void {
    this.#followed = this.#nearer(this.#followed, this.#levelBehind(quote));
  }

  /** The level of a stop whose best price is this one. */
  levelOf(bestPrice: number): number {
    const { by, amount } = this.#distance;
    const away = by === "trailing_percent" ? bestPrice * amount : amount;
    return Number((bestPrice + (this.#isLong ? -away : away)).toPrecision(12));
  }

  /**
   * Records a shown level. Returns the reason why the answer must not show it, or null when it may. `before` is the
   * level that answers had shown when the request was sent.
   */
  show(level: number, before: number | null): string | null {
    const isBack = before !== null && this.#isBehind(level, before);
    const isAhead = this.#isBehind(this.#followed, level);
    if (this.#shown === null || this.#isBehind(this.#shown, level)) {
      if (this.#shown !== null) this.moves += 1;
      this.#shown = level;
    }
    if (isBack) return `${this.#direction} stop at ${level} after ${before} was shown`;
    return isAhead ? `${this.#direction} stop at ${level}, beyond ${this.#followed}` : null;
  }

  /**
   * Records the present level as shown. Called when the service has carried out what every quote causes, and a clean
   * shutdown records the levels.
   */
  settle(): void {
    this.#shown = this.#followed;
  }

  /** True when the quote reaches the shown level, so that the stop must fill. */
  isReached(quote: SentQuote): boolean {
    return this.#shown !== null && !this.#isBehind(this.#shown, this.#exit(quote));
  }

  /** The reason why the stop cannot have closed the position at this price; null when it can. */
  closedAt(price: number, quotes: readonly SentQuote[]): string | null {
    if (!quotes.some((quote) => this.#exit(quote) === price)) return `closed at ${price}, no quote`;
    const isEarly = this.#isBehind(this.#followed, price);
    return isEarly ? `closed at ${price} before its stop at ${this.#followed}` : null;
  }

  get #isLong(): boolean {
    return this.#direction === "LONG";
  }

  #exit({ bid, ask }: SentQuote): number {
    return this.#isLong ? bid : ask;
  }

  #levelBehind(quote: SentQuote): number {
    return this.levelOf(this.#exit(quote));
  }

  /** True when the first level is farther from the market than the other. */
  #isBehind(level: number, other: number): boolean {
    return this.#isLong ? level < other : level > other;
  }

  #nearer(one: number, other: number): number {
    return this.#isBehind(one, other) ? other : one;
  }
}
