import { boolean, list, nullable, number, string, word } from "../schema.ts";
import { STOP_CONDITIONS } from "../words.ts";
import { ATTACHED_LEG } from "./attached-leg.ts";

/**
 * Prices and size of a pending order or leg. Of its size fields, only the one that the client sent is not null.
 * @rule S2.3
 */
export const PENDING_PRICES_AND_SIZE = {
  limitPrice: nullable(number("Limit price; null on a leg.")),
  stopPrice: nullable(number("Stop price of a STOP_LIMIT that has not triggered; null otherwise.")),
  stopCondition: nullable(
    word(STOP_CONDITIONS, "Side of `stopPrice` that triggers it; null without one."),
  ),
  leverage: nullable(number("Size as a multiple of the balance; null if sized otherwise.")),
  value: nullable(number("Size in USD; null if sized otherwise.")),
  quantity: nullable(number("Size in the pair's lot unit; null if sized otherwise.")),
};

/** The field of a leg that is sized as a share of its position. */
export const BRACKET_PCT = nullable(
  number("Share of the position before any of its legs filled, 0 < x ≤ 1; null when unused."),
);

/** The present stop of a trailing leg. The stop of a LONG never falls between two reads. @rule D13.currentStop */
export const TRAILED = {
  currentStop: nullable(
    number(
      "Price at which a trailing leg's stop triggers now, the nearer one beside a `stopLoss`; null unless it trails.",
    ),
  ),
  bestPrice: nullable(
    number(
      "Best price that a trailing leg has followed, the bid for a LONG, the ask for a SHORT; null unless it trails.",
    ),
  ),
};

/** The position and the legs of a pending order. A leg has a position and no legs. */
export const POSITION_AND_LEGS = {
  positionUuid: nullable(string("The position of a leg; null on an entry order.")),
  reduceOnly: boolean("True if it can only reduce a position; always true for a leg."),
  bracketOrders: nullable(
    list(ATTACHED_LEG, "The legs that the order attaches when it fills; null on a leg."),
  ),
};
