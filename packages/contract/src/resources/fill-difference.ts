import { nullable, number, object, word } from "../schema.ts";
import { EXCESSES, SHORTFALLS } from "../words.ts";

const SHORTFALL = object(
  "The part of the requested size that was not filled; null when the size was filled in full.",
  {
    code: word(
      SHORTFALLS,
      "`cap`: a leverage cap, named in `bindingCap`. `nothingLeft`: a reduce-only order or a leg was larger than the open position. `neverFlips`: another opposite order was larger than the position, and never opens the other direction. `roundedToGrid`: rounded to the pair's quantity step.",
    ),
    quantity: number("Missing quantity in the pair's lot unit, above 0."),
  },
);

const EXCESS = object(
  "The part of the fill that exceeds the requested size; null when the fill does not exceed it.",
  {
    code: word(
      EXCESSES,
      "`roundedToGrid`: rounded to the pair's quantity step. `leastPosition`: the rest of the position was below the minimum position size and was closed too.",
    ),
    quantity: number("Additional quantity in the pair's lot unit, above 0."),
  },
);

/** How a fill differs from its order's size. Both fields are null when it does not. @rule D12.shortfall */
export const DIFFERENCE = {
  shortfall: nullable(SHORTFALL),
  excess: nullable(EXCESS),
} as const;

/** The fields of a fill that does not differ from its order's size. */
export const NO_DIFFERENCE = { shortfall: null, excess: null } as const;
