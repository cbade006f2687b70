import type { Leverage, MicroUsd, Ratio } from "../units.ts";

/** How a trader states a size: one of three, always a positive magnitude. @rule S4.2.sizing */
export type Size =
  | { readonly kind: "leverage"; readonly leverage: Leverage }
  | { readonly kind: "value"; readonly value: MicroUsd }
  /** In lots as sent, before it is rounded to the grid. */
  | { readonly kind: "quantity"; readonly lots: number };

/** A leg may also be sized as a share of the open position, 0 < x ≤ 1. */
export type LegSize = Size | { readonly kind: "bracketPct"; readonly ratio: Ratio };
