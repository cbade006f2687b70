import type { Leverage, MicroUsd, Ratio } from "../units.ts";

/** A size as the trader states it: one of three kinds, always positive. @rule S4.2.sizing */
export type Size =
  | { readonly kind: "leverage"; readonly leverage: Leverage }
  | { readonly kind: "value"; readonly value: MicroUsd }
  /** In lots as sent, before it is rounded to the grid. */
  | { readonly kind: "quantity"; readonly lots: number };

/** A leg's size may also be a share of the position as if no other leg had filled, 0 < x ≤ 1. */
export type LegSize = Size | { readonly kind: "bracketPct"; readonly ratio: Ratio };
