import { boolean, list, nullable, number, string, word } from "../schema.ts";
import { STOP_CONDITIONS } from "../words.ts";
import { ATTACHED_LEG } from "./attached-leg.ts";

/**
 * Prices and size of a pending order or leg. Of its size fields, only the one that the client sent is not null.
 * @rule S2.3
 */
export const PENDING_PRICES_AND_SIZE = {
  limitPrice: nullable(number("Limit price; null for a leg.")),
  stopPrice: nullable(
    number(
      "Mid price at which a STOP_LIMIT becomes a limit order; null after that, and for other orders.",
    ),
  ),
  stopCondition: nullable(
    word(
      STOP_CONDITIONS,
      "Side of `stopPrice` on which the mid price triggers the order; null when `stopPrice` is null.",
    ),
  ),
  leverage: nullable(number("Size as a multiple of the balance; null when unused.")),
  value: nullable(number("Size in USD; null when unused.")),
  quantity: nullable(number("Size in the pair's lot unit; null when unused.")),
};

/** The field of a leg that is sized as a share of its position. */
export const BRACKET_PCT = nullable(
  number(
    "Size of a leg as a share of the position before any of its legs filled, above 0 and at most 1; null when unused.",
  ),
);

/** The present stop of a trailing leg. The stop of a LONG never falls between two reads. @rule D13.currentStop */
export const TRAILED = {
  currentStop: nullable(
    number(
      "Current price at which a trailing leg triggers: its trailing stop, or its `stopLoss` if that is nearer. Null for a leg or order without a trailing stop.",
    ),
  ),
  bestPrice: nullable(
    number(
      "Best price that a trailing stop has followed: the highest bid for a LONG, the lowest ask for a SHORT. Null for a leg or order without a trailing stop.",
    ),
  ),
};

/** The position and the legs of a pending order. A leg has a position and no legs. */
export const POSITION_AND_LEGS = {
  positionUuid: nullable(string("The position of a leg; null for an entry order.")),
  reduceOnly: boolean("True if the order can only reduce a position; always true for a leg."),
  bracketOrders: nullable(
    list(ATTACHED_LEG, "The legs that the order attaches when it fills; null for a leg."),
  ),
};
