/** The clock and the prices of a life. Only the steps of the life change them. */
import { type PairId, pairId } from "../../ids.ts";
import type { Quote } from "../../market/quote.ts";
import type { Moment } from "../../state/moment.ts";
import type { Position } from "../../state/position.ts";
import { price, type UnixMs, unixMs } from "../../units.ts";
import { ratePairOf } from "./judging-model.ts";
import { LIVES_CATALOGUE } from "./life-program.ts";
import type { TimeLeap } from "./life-steps.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Monday, 2026-01-05 at 15:00 UTC, when every market of the catalogue is open. */
const START_MS = 1_767_625_200_000;
const BACK_MS = [1, 1_000, HOUR_MS, DAY_MS, 8 * DAY_MS];

const FIRST_BIDS: Readonly<Record<string, number>> = {
  BTCUSD: 50_000,
  ETHUSD: 2_500,
  SOLUSD: 100,
  SLIPUSD: 20,
  EURUSD: 1.1,
  USDJPY: 150,
  EURJPY: 165,
  XAUUSD: 2_000,
  AAPL: 200,
};
const SPREAD = 0.0001;

/** The pairs that a step may name: the traded pairs, then a blocked one and an unknown one. */
export const LIFE_PAIRS: readonly PairId[] = [...Object.keys(FIRST_BIDS), "GONEUSD", "NOSUCH"].map(
  pairId,
);
const TRADED = Object.keys(FIRST_BIDS).map(pairId);

/** The clock and the prices of one life. */
export class LifeMarket {
  #now: UnixMs = unixMs(START_MS);
  readonly #bids = new Map<PairId, number>();
  readonly #quotes = new Map<PairId, Quote>();

  constructor() {
    this.restore();
  }

  /** A copy of the present time and quotes. */
  moment(): Moment {
    return { now: this.#now, quotes: new Map(this.#quotes), instruments: LIVES_CATALOGUE };
  }

  bid(pair: PairId): number {
    return this.#bids.get(pair) ?? FIRST_BIDS[pair] ?? 1;
  }

  pairAt(index: number): PairId {
    return LIFE_PAIRS[index % LIFE_PAIRS.length] ?? pairId("NOSUCH");
  }

  tradedAt(index: number): PairId {
    return TRADED[index % TRADED.length] ?? pairId("BTCUSD");
  }

  /**
   * Moves a price by a fraction of it. A price that would leave the range from a fifth to five times its start moves in
   * the opposite direction.
   */
  move(pair: PairId, share: number): void {
    const first = FIRST_BIDS[pair] ?? 1;
    const moved = this.bid(pair) * (1 + share);
    this.#quote(
      pair,
      moved > first * 5 || moved < first / 5 ? this.bid(pair) * (1 - share) : moved,
    );
  }

  /**
   * Moves the prices of open positions: with a positive fraction in the trader's favor, with a negative one against the
   * trader.
   */
  favour(positions: readonly Position[], share: number): void {
    for (const { pair, direction } of positions) {
      this.move(pair, direction === "long" ? share : -share);
    }
  }

  /** Quotes the pair again at its present price, unless it has lost its quote. */
  refresh(pair: PairId): void {
    if (this.#quotes.has(pair)) this.#quote(pair, this.bid(pair));
  }

  /**
   * Refreshes the quotes for an order on the pair. With `isStale` one of them is not refreshed: the quote of the rate
   * for a cross, the pair's own quote for any other pair.
   */
  refreshFor(pair: PairId, isStale: boolean): void {
    const moment = this.moment();
    const rate = moment.instruments.has(pair) ? ratePairOf(pair, moment) : null;
    if (rate !== null && !isStale) this.refresh(pairId(rate));
    if (rate !== null || !isStale) this.refresh(pair);
  }

  lose(pair: PairId): void {
    this.#quotes.delete(pair);
  }

  loseAll(): void {
    this.#quotes.clear();
  }

  /** Quotes every traded pair at its present price. */
  restore(): void {
    for (const pair of TRADED) this.#quote(pair, this.bid(pair));
  }

  leap(leap: TimeLeap, by: number): void {
    this.#now = unixMs(leapFrom(this.#now, leap, by));
  }

  tick(): void {
    this.#now = unixMs(this.#now + 1_000);
  }

  #quote(pair: PairId, bid: number): void {
    this.#bids.set(pair, bid);
    const ask = price(bid * (1 + SPREAD));
    this.#quotes.set(pair, { pair, bid: price(bid), ask, atMs: this.#now });
  }
}

function leapFrom(now: number, leap: TimeLeap, by: number): number {
  const midnight = now - (now % DAY_MS) + DAY_MS;
  switch (leap) {
    case "seconds":
      return now + by * 1_000;
    case "hours":
      return now + by * HOUR_MS;
    case "eightHours":
      return now - (now % (8 * HOUR_MS)) + 8 * HOUR_MS;
    case "midnight":
      return midnight;
    case "beforeMidnight":
      return midnight - 1;
    case "monday":
      return mondayAfter(now);
    case "days":
      return now + (by % 5) * DAY_MS + by * 1_234;
    case "months":
      return now + (50 + by * 2) * DAY_MS;
    case "back":
      return now - (BACK_MS[by % BACK_MS.length] ?? 0);
  }
}

function mondayAfter(now: number): number {
  const days = Math.floor(now / DAY_MS);
  // 1970-01-01 was a Thursday.
  const weekday = (days + 4) % 7;
  return (days + (weekday === 0 ? 1 : 8 - weekday)) * DAY_MS;
}
