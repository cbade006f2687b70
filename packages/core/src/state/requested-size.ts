import type { Leverage, MicroUsd, Ratio } from "../units.ts";

/** A size as the trader states it: one of three kinds, always above zero. @rule S4.2.sizing */
export type Size =
  | { readonly kind: "leverage"; readonly leverage: Leverage }
  | { readonly kind: "value"; readonly value: MicroUsd }
  /** The lots that were sent, before they are rounded to the grid. */
  | { readonly kind: "quantity"; readonly lots: number };

/**
 * The size of a leg. A `bracketPct` is a share, above 0 and at most 1, of the position as if no leg of the same request
 * had filled.
 */
export type LegSize = Size | { readonly kind: "bracketPct"; readonly ratio: Ratio };
