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
export const INSTRUMENT = object(
  "A pair that can be traded, its market hours, its costs and the limits of its orders for this account.",
  {
    tradePair: string("Pair identifier, such as `BTCUSD`."),
    tradePairDisplay: string("Pair for display, such as `BTC/USD`."),
    aliases: list(
      string("An alternative name."),
      "Alternative names that requests may use for the pair.",
    ),
    assetClass: word(CLASSES, "The asset class of the pair."),
    base: string("The unit in which lots are counted, such as `BTC`."),
    quoteCurrency: string("The currency of the price, such as `USD`."),
    quoteIsUsd: boolean(
      "True when one unit of the quote currency counts as exactly 1 USD: always for `USD`, and for `USDC` if so configured.",
    ),
    lotSize: ifSent(
      number("Size of one lot in base units: an order with `quantity` 1 is one lot."),
    ),
    lotUnit: ifSent(string("One lot in words, such as `1 BTC` or `100,000 EUR`.")),
    gridStep: ifSent(
      number(
        "Quantity step, in lots. A size between two steps is rounded to the nearest one, half a step up. A size that a leverage cap limits is rounded down.",
      ),
    ),
    gridStepSmallAccount: nullable(
      number(
        "Finer quantity step of accounts with a size of at most 10,000 USD, in lots; null if they have the general step.",
      ),
    ),
    tick: ifSent(number("Tick size: the smallest step of the pair's quotes, in price units.")),
    priceStep: nullable(
      number(
        "Step of the prices and trailing distances that orders may have, in price units; others are rejected. Null if every price is accepted.",
      ),
    ),
    leastQuantity: nullable(
      number(
        "Minimum position size of this account in lots, a whole number of its quantity steps; null if the minimum is in USD.",
      ),
    ),
    leastValue: nullable(
      number("Minimum position value in USD at the fill price; null if the minimum is in lots."),
    ),
    leverageCap: ifSent(
      number("Maximum position value in this pair for this account, as a multiple of the balance."),
    ),
    feePercent: ifSent(number("Trading fee in percent of the value of each fill.")),
    carryPercent: ifSent(
      number(
        "Holding cost of a position in percent of its value, for the period in `carryBasis`; 0 if `carryBasis` is `none`.",
      ),
    ),
    carryBasis: ifSent(
      word(
        ["none", "daily", "yearly"],
        "The period of `carryPercent`: a day, a year, or `none` without this cost.",
      ),
    ),
    borrowPercent: ifSent(
      number(
        "Borrow fee of a SHORT in percent of its value per year, charged on weekdays; 0 without one.",
      ),
    ),
    funding: nullable(
      object(
        "Hourly funding, which replaces the holding cost of `carryPercent`; null for pairs without funding.",
        {
          percent: nullable(
            number(
              "Funding rate in percent of the position value for one hour: the fixed rate, or else that of the newest known hour. Above 0 a LONG pays and a SHORT receives. Null if no rate is known.",
            ),
          ),
          hourMs: nullable(
            time(
              "The start of the hour of `percent`, Unix milliseconds; null if the rate is fixed or unknown.",
            ),
          ),
          isFixed: boolean("True if every hour has one fixed rate."),
          isCostOnly: boolean("True if a position can pay funding but never receives it."),
        },
      ),
    ),
    session: ifSent(string("Id of the trading session, such as `crypto` or `forex`.")),
    isOpen: ifSent(boolean("True while the pair's market is open.")),
    changesAtMs: nullable(
      time("When the market next closes, or opens if it is closed; null if no change is known."),
    ),
    isTradable: boolean(
      "False if the account's orders that open or add are rejected, even while the market is open.",
    ),
    staleAfterMs: ifSent(number("Age in milliseconds up to which a quote can fill an order.")),
  },
);
export type InstrumentItem<Unsent extends Linked = never> = Wire<typeof INSTRUMENT, Unsent>;

/**
 * Item of GET quotes: the prices at which a market order fills at this moment, before slippage, unless `isStale` is
 * true.
 */
export const QUOTE = object("The newest quote of a pair.", {
  tradePair: string("Pair identifier, such as `BTCUSD`."),
  bid: number("Bid price. A sale fills at it, minus slippage."),
  ask: number("Ask price. A purchase fills at it, plus slippage."),
  atMs: time("Time of the quote, Unix milliseconds."),
  isStale: boolean(
    "True when the quote cannot fill an order: it is too old, the pair is halted, or the quote is from before a corporate action.",
  ),
});
export type QuoteItem = Wire<typeof QUOTE>;
