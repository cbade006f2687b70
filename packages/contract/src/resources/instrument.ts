import { boolean, nullable, number, object, string, time, type Wire, word } from "../schema.ts";
import { ASSET_CLASSES } from "../words.ts";

const CLASSES = ASSET_CLASSES.filter((one) => one !== "all_markets");

/** Item of GET instruments. Additive, outside the six endpoints of the specification. */
export const INSTRUMENT = object("A pair that can be traded, with what binds its orders.", {
  tradePair: string("Pair identifier, `BTCUSD`."),
  tradePairDisplay: string("For display, `BTC/USD`."),
  assetClass: word(CLASSES, "What kind of market it is."),
  base: string("What one lot is counted in, `BTC`."),
  quoteCurrency: string("What the price is counted in, `USD`."),
  lotSize: number("Base units of one lot: `quantity` 1 is one lot."),
  lotUnit: string("The same in words, `1 BTC` or `100,000 EUR`."),
  gridStep: number(
    "Quantities are whole multiples of this many lots. A size in between is rounded to nearest, half a step up; after a cap it goes down to the last step within.",
  ),
  gridStepSmallAccount: nullable(
    number("The finer step of accounts at or below 10,000 USD; null: the same step."),
  ),
  tick: number("Least step of the price for display; any price may be sent."),
  leastQuantity: nullable(
    number(
      "Least size in lots that this account can place, on its own grid; null: bounded in USD.",
    ),
  ),
  leastValue: nullable(
    number("Least value of a position in USD at the price of the fill; null: bounded in lots."),
  ),
  leverageCap: number("Most value of this pair as a multiple of the balance, for this account."),
  feePercent: number("Of the value of each fill, percent."),
  carryPercent: number(
    "Cost of holding over a charge, percent a day or a year as `carryBasis` says.",
  ),
  carryBasis: word(["none", "daily", "yearly"], "What `carryPercent` counts by."),
  session: string("Which opening hours it has, such as `crypto` or `forex`."),
  isOpen: boolean("Whether its market is open now."),
  changesAtMs: nullable(time("When that changes next; null: never.")),
  isTradable: boolean("False where new orders are refused whatever the hour."),
  staleAfterMs: number("A quote older than this many milliseconds fills nothing."),
});
export type InstrumentItem = Wire<typeof INSTRUMENT>;

/** Item of GET quotes: what a market order would meet now. */
export const QUOTE = object("The newest quote of a pair; pairs without any are not listed.", {
  tradePair: string("Pair identifier, `BTCUSD`."),
  bid: number("What a sale fills at, before slippage."),
  ask: number("What a purchase fills at, before slippage."),
  atMs: time("When it was made."),
  isStale: boolean("True when it is too old to fill anything."),
});
export type QuoteItem = Wire<typeof QUOTE>;
