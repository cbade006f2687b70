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

export const OPERATOR_INSTRUMENT = object("An instrument of the catalogue and its market now.", {
  pair: id("The pair, such as `BTCUSD`."),
  display: string("Its name for people."),
  aliases: list(id("A name."), "Other names that requests may use for it."),
  assetClass: word(OWN_ASSET_CLASSES, "Its asset class."),
  base: id("Base currency."),
  quoteCurrency: id("Quote currency."),
  lotSize: number("Base units in one lot."),
  gridStep: number("Lots."),
  gridStepSmallAccount: nullable(
    number("Lots, for accounts up to 10,000 USD; null where the class has none."),
  ),
  leastPositionUsd: nullable(
    number("The smallest position by value, USD; null where the class has a smallest size."),
  ),
  leastPositionLots: nullable(
    number("The smallest position by size, lots; null where the class has a smallest value."),
  ),
  tick: number("The smallest price step."),
  priceStep: nullable(number("Step of the prices that orders may have; null accepts any price.")),
  feePercent: number("Percent of the value of each fill."),
  carryKind: word(CARRY_KINDS, "When the cost of holding a position is charged."),
  carryPercent: nullable(
    number("Percent of the value held, each time it is charged; null if it comes from the source."),
  ),
  spreadPercent: number("Percent of the price."),
  leverageCapTier1: number("Tier 1: a multiple of the balance."),
  leverageCapTier2: number("Tier 2: a multiple of the balance."),
  leverageCapTier3: number("Tier 3: a multiple of the balance."),
  leverageCapPro: number("Pro track: a multiple of the balance."),
  exposureGroups: list(id("A group."), "The groups whose exposure caps it counts towards."),
  session: id("Id of its trading session."),
  isOpen: boolean("Whether its market is open."),
  changesAtMs: nullable(
    time("When the market next opens or closes; null if the calendar does not reach that far."),
  ),
  isBlocked: boolean("Whether positions in it can only be reduced."),
  isRetired: boolean("Whether its last price fills exits once no source has another."),
  staleAfterMs: number("Age in milliseconds at which a quote is stale."),
  bid: nullable(number("The newest bid; null before the first quote.")),
  ask: nullable(number("The newest ask; null before the first quote.")),
  quoteAtMs: nullable(time("Time of the newest quote; null before the first.")),
  isStale: boolean("Whether the quote is missing or stale."),
});
export const INSTRUMENTS_LIST = describeList(OPERATOR_INSTRUMENT, {
  sort: "pair",
  ties: ["pair"],
  parts: ["display"],
  beginnings: ["pair"],
});
export type OperatorInstrument = Wire<typeof OPERATOR_INSTRUMENT>;
