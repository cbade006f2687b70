/**
 * The statistics of a pro account and its objectives, computed only from what the specification says about the pro
 * track.
 */
import type { ModelProTerms } from "./weeks-terms.ts";

const DAY_MS = 86_400_000;

/** The figures of an account from which its statistics are computed, at a day's end or at live prices. */
export interface DayFigures {
  readonly equity: number;
  readonly cash: number;
  readonly size: number;
  readonly highWater: number;
}

export class WeeksStatistics {
  readonly terms: ModelProTerms;
  firstTradeAtMs: number | null = null;
  #days = 0;
  #best = 0;
  #sum = 0;
  #deepest = 0;
  #breachedDayMs: number | null = null;

  constructor(terms: ModelProTerms) {
    this.terms = terms;
  }

  /** Records the deepest fall below the high-water mark. */
  recordDrawdown(figures: DayFigures): void {
    this.#deepest = Math.max(this.#deepest, drawdownOf(figures));
  }

  /** Counts a full UTC day since the first trade. A gain is counted up to a maximum. */
  countDay(dayStartMs: number, dayReturn: number): void {
    if (this.firstTradeAtMs === null || dayStartMs < this.firstTradeAtMs) return;
    const counted = Math.min(dayReturn, this.terms.objectives.countedGain);
    this.#days += 1;
    this.#best = Math.max(this.#best, counted);
    this.#sum += counted;
  }

  meetsAll(figures: DayFigures): boolean {
    const { objectives } = this.terms;
    const { equity, cash, size } = figures;
    const [calmar, consistency] = [this.#calmar(figures), this.#consistency()];
    return (
      calmar !== null &&
      consistency !== null &&
      (Math.min(size + cash, equity) - size) / size >= objectives.returned &&
      calmar >= objectives.calmar &&
      consistency <= objectives.consistency &&
      this.#days >= objectives.days
    );
  }

  /** Judges a day. A known figure beyond its objective withholds the payout of the week. */
  judgeDay(dayMs: number, figures: DayFigures): void {
    const { objectives } = this.terms;
    const [calmar, consistency] = [this.#calmar(figures), this.#consistency()];
    const isBeyond =
      (calmar !== null && calmar < objectives.calmar) ||
      (consistency !== null && consistency > objectives.consistency);
    if (isBeyond) this.#breachedDayMs = dayMs;
  }

  isHeldSince(sinceMs: number): boolean {
    return this.#breachedDayMs !== null && this.#breachedDayMs + DAY_MS > sinceMs;
  }

  #calmar(figures: DayFigures): number | null {
    if (this.#days === 0) return null;
    const { leastDrawdown } = this.terms.objectives;
    const deepest = Math.max(this.#deepest, drawdownOf(figures), leastDrawdown);
    return figures.cash / figures.size / deepest;
  }

  #consistency(): number | null {
    return this.#days === 0 || this.#sum <= 0 ? null : this.#best / this.#sum;
  }
}

function drawdownOf({ highWater, equity }: DayFigures): number {
  return Math.max(0, highWater - equity) / highWater;
}
