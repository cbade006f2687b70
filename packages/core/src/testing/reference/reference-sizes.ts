/** What a size comes to in 0.00001 lots, written from the text of the rules. */
import type { Instrument } from "../../market/instrument.ts";
import type { LegSize } from "../../state/requested-size.ts";

/** What a size is worked out with. */
export interface Pricing {
  readonly instrument: Instrument;
  readonly price: number;
  /** USD for one unit of the quote currency. */
  readonly usdRate: number;
  /** Micro dollars. */
  readonly cash: number;
  /** Micro dollars: what the account runs at, on which its grid depends. */
  readonly accountSize: number;
}

const QUANTITY_PER_LOT = 100_000;
const SMALL_ACCOUNT = 10_000_000_000;
/** A quotient this near to half a step may go either way. */
const NOISE = 1e-6;

/** @rule D5.grid */
export function stepOf({ instrument, accountSize }: Pricing): number {
  const { gridStep, gridStepSmallAccount: small } = instrument;
  return small !== null && accountSize <= SMALL_ACCOUNT ? small : gridStep;
}

/** As asked for, before the grid. `whole`: what a share is taken of. @rule D5.size */
export function rawLots(size: LegSize, at: Pricing, whole: number): number {
  switch (size.kind) {
    case "quantity":
      return size.lots * QUANTITY_PER_LOT;
    case "bracketPct":
      return size.ratio * whole;
    case "value":
      return (size.value / valueOfOne(at)) * QUANTITY_PER_LOT;
    case "leverage":
      return ((size.leverage * at.cash) / valueOfOne(at)) * QUANTITY_PER_LOT;
  }
}

/** Sizes on the grid from `least` to `most`: one, but where noise decides. */
export interface Sizes {
  readonly least: number;
  readonly most: number;
}

/** On the nearest step, half a step up. `slack`: of `raw`, in 0.00001 lots. @rule D5.grid */
export function onGrid(raw: number, step: number, slack = 0): Sizes {
  const noise = NOISE * step + Math.abs(raw) * 1e-11 + slack;
  return {
    least: Math.floor((raw - noise) / step + 0.5) * step,
    most: Math.floor((raw + noise) / step + 0.5) * step,
  };
}

export function isAmong(lots: number, { least, most }: Sizes): boolean {
  return lots >= least && lots <= most;
}

export interface ExitSize {
  readonly lots: number;
  /** More than was asked for, because the rest would have been below the least position. */
  readonly takesRest: boolean;
}

/** What leaves an open position, cut to what is open. @rule D10.leastGoesAlong D5.neverFlips */
export function exitSize(asked: number, open: number, at: Pricing): ExitSize {
  if (asked >= open) return { lots: open, takesRest: false };
  const takesRest = isBelowLeast(open - asked, at);
  return { lots: takesRest ? open : asked, takesRest };
}

/** Forex one grid step, equities 0.01, others $10. @rule D5.leastPosition */
export function isBelowLeast(lots: number, at: Pricing): boolean {
  const { assetClass } = at.instrument;
  if (assetClass === "forex") return lots < stepOf(at);
  if (assetClass === "equities") return lots < QUANTITY_PER_LOT / 100;
  return Math.round((lots / QUANTITY_PER_LOT) * valueOfOne(at)) < 10_000_000;
}

/** Micro dollars of one lot. */
function valueOfOne({ instrument, price, usdRate }: Pricing): number {
  return price * instrument.lotSize * usdRate * 1_000_000;
}
