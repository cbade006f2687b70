import {
  boolean,
  ifSent,
  type Linked,
  list,
  nullable,
  number,
  object,
  string,
  time,
  type Wire,
  word,
} from "../schema.ts";
import { ASSET_CLASSES } from "../words.ts";

/** The asset classes that one pair can have. `all_markets` and `hl_all` group several of these for an account. */
const CLASSES = ASSET_CLASSES.filter((one) => one !== "all_markets" && one !== "hl_all");

/** Item of GET instruments. Additive, outside the six endpoints of the specification. */
export const INSTRUMENT = object("A pair that can be traded, and the limits of its orders.", {
  tradePair: string("Pair identifier, `BTCUSD`."),
  tradePairDisplay: string("For display, `BTC/USD`."),
  aliases: list(string("A name."), "Other names that requests may use for the pair."),
  assetClass: word(CLASSES, "The kind of market."),
  base: string("Base unit of a lot, `BTC`."),
  quoteCurrency: string("Currency of the price, `USD`."),
  quoteIsUsd: boolean(
    "True when one unit of the quote currency counts as 1 USD: `USD` itself, and `USDC` in some catalogues.",
  ),
  lotSize: ifSent(number("Base units of one lot: `quantity` 1 is one lot.")),
  lotUnit: ifSent(string("The same in words, `1 BTC` or `100,000 EUR`.")),
  gridStep: ifSent(
    number(
      "Step of quantities, in lots. A size between two steps is rounded to the nearest one, half a step up; a capped size is rounded down.",
    ),
  ),
  gridStepSmallAccount: nullable(
    number("The finer step of accounts at or below 10,000 USD; null if the step is the same."),
  ),
  tick: ifSent(number("Smallest step of the price.")),
  priceStep: nullable(
    number(
      "Step of the prices and trailing distances of orders; another price is rejected. Null if any price is accepted.",
    ),
  ),
  leastQuantity: nullable(
    number(
      "Minimum size of this account's orders in lots, on its own grid; null if the minimum is in USD.",
    ),
  ),
  leastValue: nullable(
    number("Minimum value of a position in USD at the fill price; null if the minimum is in lots."),
  ),
  leverageCap: ifSent(
    number("Maximum value of this pair as a multiple of the balance, for this account."),
  ),
  feePercent: ifSent(number("Fee in percent of the value of each fill.")),
  carryPercent: ifSent(
    number("Cost of holding a position in percent per day or year, as `carryBasis` says."),
  ),
  carryBasis: ifSent(word(["none", "daily", "yearly"], "Period of `carryPercent`.")),
  borrowPercent: ifSent(
    number("Cost of holding a SHORT in percent per year, charged on weekdays; 0 if none."),
  ),
  funding: nullable(
    object("Hourly funding in place of carry; null for pairs without it.", {
      percent: nullable(
        number(
          "Percent of the value held, of the newest known hour: above 0 a LONG pays and a SHORT receives. Null if no hour is known.",
        ),
      ),
      hourMs: nullable(time("The hour of `percent`; null if the rate is fixed or unknown.")),
      isFixed: boolean("True if every hour has the same rate."),
      isCostOnly: boolean("True if a position pays funding but never receives it."),
    }),
  ),
  session: ifSent(string("Trading session, such as `crypto` or `forex`.")),
  isOpen: ifSent(boolean("Whether its market is open now.")),
  changesAtMs: nullable(time("When the market next opens or closes; null if never.")),
  isTradable: boolean("False if new orders are rejected even while the market is open."),
  staleAfterMs: ifSent(number("Maximum age in milliseconds of a quote that can fill an order.")),
});
export type InstrumentItem<Unsent extends Linked = never> = Wire<typeof INSTRUMENT, Unsent>;

/** Item of GET quotes: the prices at which a market order would fill at this moment, before slippage. */
export const QUOTE = object("The newest quote of a pair; pairs without a quote are not listed.", {
  tradePair: string("Pair identifier, `BTCUSD`."),
  bid: number("Price of a sale, before slippage."),
  ask: number("Price of a purchase, before slippage."),
  atMs: time("Time of the quote."),
  isStale: boolean("True when the quote is too old to fill an order."),
});
export type QuoteItem = Wire<typeof QUOTE>;
