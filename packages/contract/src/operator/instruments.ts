import {
  boolean,
  list,
  nullable,
  number,
  object,
  string,
  time,
  union,
  type Wire,
  word,
} from "../schema.ts";
import { OWN_ASSET_CLASSES } from "../words.ts";

const CARRY_KINDS = ["none", "everyEightHours", "daily", "everyHour"] as const;

export const OPERATOR_INSTRUMENT = object("An instrument of the catalogue and its market now.", {
  pair: string("The pair, such as `BTCUSD`."),
  display: string("Its name for people."),
  aliases: list(string("A name."), "Other names that requests may use for it."),
  assetClass: word(OWN_ASSET_CLASSES, "Its asset class."),
  base: string("Base currency."),
  quoteCurrency: string("Quote currency."),
  lotSize: number("Base units in one lot."),
  gridStep: number("Lots."),
  gridStepSmallAccount: nullable(
    number("Lots, for accounts up to 10,000 USD; null where the class has none."),
  ),
  leastPosition: union(
    "The smallest position.",
    object("By value.", { usd: number("USD.") }),
    object("By size.", { lots: number("Lots.") }),
  ),
  tick: number("The smallest price step."),
  priceStep: nullable(number("Step of the prices that orders may have; null accepts any price.")),
  feePercent: number("Percent of the value of each fill."),
  carry: object("The cost of holding a position.", {
    kind: word(CARRY_KINDS, "When it is charged."),
    percent: nullable(
      number(
        "Percent of the value held, each time it is charged; null if it comes from the source.",
      ),
    ),
  }),
  spreadPercent: number("Percent of the price."),
  leverageCaps: object("Multiples of the balance.", {
    tier1: number("Tier 1."),
    tier2: number("Tier 2."),
    tier3: number("Tier 3."),
    pro: number("Pro track."),
  }),
  exposureGroups: list(string("A group."), "The groups whose exposure caps it counts towards."),
  session: string("Id of its trading session."),
  isOpen: boolean("Whether its market is open."),
  changesAtMs: nullable(
    time("When the market next opens or closes; null if the calendar does not reach that far."),
  ),
  isBlocked: boolean("Whether positions in it can only be reduced."),
  isRetired: boolean("Whether its last price fills exits once no source has another."),
  staleAfterMs: number("Age in milliseconds at which a quote is stale."),
  quote: nullable(
    object("The newest quote; null before the first.", {
      bid: number("Bid."),
      ask: number("Ask."),
      atMs: time("Time of the quote."),
    }),
  ),
  isStale: boolean("Whether the quote is missing or stale."),
});
export type OperatorInstrument = Wire<typeof OPERATOR_INSTRUMENT>;
