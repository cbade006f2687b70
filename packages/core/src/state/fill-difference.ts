/** Why a fill is smaller than its order's size, in the order in which the causes apply. @rule D12.shortfall */
export type ShortfallCode =
  /** A cap reduced the size, which was then rounded down to the grid. */
  | "cap"
  /** The order was reduce-only or a leg, and larger than the open position. */
  | "nothingLeft"
  /**
   * An order that was not reduce-only was larger than the opposite position. It closed that position and opened none.
   */
  | "neverFlips"
  | "roundedToGrid";

/** Why a fill is larger than its order's size. @rule D12.shortfall */
export type ExcessCode =
  | "roundedToGrid"
  /** The remainder would have been below the minimum position, so it was closed too. */
  | "leastPosition";

/** The difference between a fill and its order's size. */
export interface FillDifference<Code> {
  readonly code: Code;
  /** The size of the difference, above 0, with at most twelve digits. */
  readonly lots: number;
}
