/** Why a fill is smaller than its order's size, in the order in which the causes apply. @rule D12.shortfall */
export type ShortfallCode =
  /** A cap, with the rounding down that follows. */
  | "cap"
  /** A reduce-only order or a leg was larger than what was open. */
  | "nothingLeft"
  /** Any other order against the position was larger than it. */
  | "neverFlips"
  | "roundedToGrid";

/** Why a fill is larger than its order's size. @rule D12.shortfall */
export type ExcessCode =
  | "roundedToGrid"
  /** The remainder would have been below the minimum position, so it was closed too. */
  | "leastPosition";

/** A difference between a fill and its order's size. */
export interface FillDifference<Code> {
  readonly code: Code;
  /** Above 0, with at most twelve digits. */
  readonly lots: number;
}
