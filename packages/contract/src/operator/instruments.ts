import {
  boolean,
  id,
  list,
  nullable,
  number,
  object,
  string,
  time,
  type Wire,
  word,
} from "../schema.ts";
import { OWN_ASSET_CLASSES } from "../words.ts";
import { describeList } from "./lists/list-description.ts";

const CARRY_KINDS = ["none", "everyEightHours", "daily", "everyHour"] as const;

export const OPERATOR_INSTRUMENT = object(
  "An instrument of the catalogue with the present state of its market.",
  {
    pair: id("The pair, such as `BTCUSD`."),
    display: string("Pair for display."),
    aliases: list(
      id("An alternative name."),
      "Alternative names that requests may use for the pair.",
    ),
    assetClass: word(OWN_ASSET_CLASSES, "The asset class of the pair."),
    base: id("Base currency of the pair, in which lots are counted."),
    quoteCurrency: id("Quote currency of the pair, the currency of its price."),
    lotSize: number("Size of one lot in base units."),
    gridStep: number("Quantity step, in lots."),
    gridStepSmallAccount: nullable(
      number(
        "Quantity step in lots of accounts with a size of at most 10,000 USD; null if they have the general step.",
      ),
    ),
    leastPositionUsd: nullable(
      number("Minimum position value, USD; null if the minimum is in lots."),
    ),
    leastPositionLots: nullable(
      number("Minimum position size in lots; null if the minimum is in USD."),
    ),
    tick: number("Tick size: the smallest step of the pair's quotes, in price units."),
    priceStep: nullable(
      number(
        "Step of the prices that orders may have, in price units; null if every price is accepted.",
      ),
    ),
    feePercent: number("Trading fee in percent of the value of each fill."),
    carryKind: word(CARRY_KINDS, "When holding costs or funding are charged."),
    carryPercent: nullable(
      number(
        "Holding cost or funding in percent of the position value for each charge; null if the rate comes from the price source.",
      ),
    ),
    spreadPercent: number(
      "Spread with which simulated and replayed prices are made, in percent of the price.",
    ),
    leverageCapTier1: number("Maximum position value for tier 1, as a multiple of the balance."),
    leverageCapTier2: number("Maximum position value for tier 2, as a multiple of the balance."),
    leverageCapTier3: number("Maximum position value for tier 3, as a multiple of the balance."),
    leverageCapPro: number(
      "Maximum position value on the pro track, as a multiple of the balance.",
    ),
    exposureGroups: list(
      id("An exposure group."),
      "The groups whose exposure caps the pair counts towards.",
    ),
    session: id("Id of the trading session."),
    isOpen: boolean("True while the pair's market is open."),
    changesAtMs: nullable(
      time(
        "When the market next closes, or opens if it is closed; null if the calendar does not reach that far.",
      ),
    ),
    isBlocked: boolean("True if positions in the pair can only be reduced."),
    isRetired: boolean(
      "True if the pair is retired: its last price fills exits when no source has a newer one.",
    ),
    staleAfterMs: number("Age in milliseconds above which a quote is stale."),
    bid: nullable(number("Bid of the newest quote; null before the first quote.")),
    ask: nullable(number("Ask of the newest quote; null before the first quote.")),
    quoteAtMs: nullable(time("Time of the newest quote; null before the first quote.")),
    isStale: boolean("True if the pair has no quote, or a stale one."),
  },
);
export const INSTRUMENTS_LIST = describeList(OPERATOR_INSTRUMENT, {
  sort: "pair",
  ties: ["pair"],
  parts: ["display"],
  beginnings: ["pair"],
});
export type OperatorInstrument = Wire<typeof OPERATOR_INSTRUMENT>;
