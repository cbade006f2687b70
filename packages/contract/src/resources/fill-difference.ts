import { nullable, number, object, word } from "../schema.ts";
import { EXCESSES, SHORTFALLS } from "../words.ts";

const SHORTFALL = object("The part of the size that was not filled.", {
  code: word(
    SHORTFALLS,
    "`cap`: a cap, named in `bindingCap`. `nothingLeft`: a reduce-only order or a leg was larger than what was open. `neverFlips`: any other opposite order was larger than the position. `roundedToGrid`: the pair's grid.",
  ),
  quantity: number("In the pair's lot unit."),
});

const EXCESS = object("The part of the fill that exceeds the size.", {
  code: word(
    EXCESSES,
    "`roundedToGrid`: the pair's grid. `leastPosition`: the rest was below the minimum position and was closed too.",
  ),
  quantity: number("In the pair's lot unit."),
});

/** How a fill differs from its order's size. Both fields are null when it does not. @rule D12.shortfall */
export const DIFFERENCE = {
  shortfall: nullable(SHORTFALL),
  excess: nullable(EXCESS),
} as const;

/** The fields of a fill that does not differ from its order's size. */
export const NO_DIFFERENCE = { shortfall: null, excess: null } as const;
