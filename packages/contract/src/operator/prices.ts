import {
  boolean,
  count,
  id,
  list,
  nullable,
  number,
  object,
  omittable,
  optional,
  string,
  time,
  type Wire,
  word,
} from "../schema.ts";
import { OWN_ASSET_CLASSES } from "../words.ts";
import { describeList } from "./lists/list-description.ts";

/** The state of a pair's prices: the first of these that applies. */
export const PRICE_STATES = [
  "halted",
  "last",
  "closed",
  "unpriced",
  "held",
  "missing",
  "live",
] as const;
export type PriceState = (typeof PRICE_STATES)[number];

/** The maximum length of a reason that an operator gives. */
export const PRICE_REASON_LENGTH_MAX = 200;

const BID = number("Bid price.");
const ASK = number("Ask price.");

const PRICE_CHOICE_FIELDS = {
  pair: string("The pair, such as `BTCUSD`."),
  kind: word(
    ["auto", "use", "halt"],
    "`auto`: the first healthy source by priority. `use`: only one source. `halt`: no quotes at all.",
  ),
  source: nullable(string("The chosen source; null unless `kind` is `use`.")),
  far: boolean(
    "True if the operator accepted that the chosen source's price is far from the pair's price.",
  ),
  reason: nullable(string("The operator's reason; null when none was given.")),
  by: string("The person, token or component of the service that made the choice."),
  atMs: time("When the choice was made."),
  version: count("Number of the choice among those of the pair, from 1."),
};

export const PRICE_CHOICE = object(
  "An operator's choice for the prices of a pair.",
  PRICE_CHOICE_FIELDS,
);
export type PriceChoiceView = Wire<typeof PRICE_CHOICE>;

const sidesOfSource = (description: string) =>
  nullable(
    object(description, {
      source: nullable(string("The name of the price source; null when it is not known.")),
      bid: BID,
      ask: ASK,
      atMs: time("Time of the quote."),
    }),
  );

export const PRICE_EFFECT = object("The effect of choosing a source for a pair.", {
  from: sidesOfSource(
    "The price that the choice would replace: of the pair's current price and the fresh prices of its other sources, the one farthest from `to`. Null without such a price.",
  ),
  to: sidesOfSource("The price of the chosen source; null while it has no fresh price."),
  distancePct: nullable(
    number(
      "Distance from `from` to `to` in percent of the mid price of `from`, negative for a lower price; null when either is null.",
    ),
  ),
  limitPct: number("Maximum distance in percent, in either direction, that does not need `far`."),
  isFar: boolean("True if the distance is above `limitPct`, so that the choice needs `far`."),
  holders: count("Number of accounts with a position in the pair."),
  triggers: count(
    "Number of stops, targets and pending entry orders that the price `to` would trigger.",
  ),
  triggeredAccounts: count("Number of accounts with such an order."),
});
export type PriceEffectView = Wire<typeof PRICE_EFFECT>;

export const SOURCE_CHOICE = object("A choice of a source with its effect.", {
  ...PRICE_CHOICE_FIELDS,
  effect: PRICE_EFFECT,
});

const SOURCE_PRICE = object("A price source of the pair, as it is now.", {
  name: string("The name of the source, such as `kraken`."),
  connection: word(["connecting", "up", "down"], "The state of the source's connection."),
  problem: nullable(string("Why the connection is down; null while it is up.")),
  reconnects: count("Number of connections that the source made after its first."),
  isSpeaking: boolean("True if the pair's quotes come from this source now."),
  isHealthy: boolean("True if the source has a fresh quote and its last quote was not rejected."),
  healthyForMs: nullable(
    number(
      "How long the source has been healthy without a break, in milliseconds; null while it is not healthy.",
    ),
  ),
  quote: nullable(
    object("The newest usable quote of the source; null when it has none.", {
      bid: BID,
      ask: ASK,
      madeAtMs: nullable(
        time("The venue's own time of the quote; null when the venue sends none."),
      ),
      receivedAtMs: time("When the service received the quote."),
    }),
  ),
  lagMs: nullable(
    number(
      "Time of receipt minus the venue's own time, in milliseconds; null when the venue sends no time.",
    ),
  ),
  accepted: count(
    "Number of the source's quotes that became the pair's quote since the service started.",
  ),
  rejected: object(
    "Numbers of the source's quotes that were rejected since the service started, by reason.",
    {
      invalid: count("Quotes with a price that is not above 0."),
      crossed: count("Quotes whose bid is above their ask."),
      future: count("Quotes whose venue time is in the future."),
      late: count("Quotes that were older than the pair's maximum age when they arrived."),
      older: count(
        "Quotes that are older than the source's previous quote, or than the pair's quote.",
      ),
      closed: count("Quotes that were made while the pair's market was closed."),
      outlier: count("Quotes that are far from the pair's last quote and were not confirmed."),
      disagreeing: count("Quotes that are too far from the pair's other fresh sources."),
    },
  ),
});
export type SourcePrice = Wire<typeof SOURCE_PRICE>;

const PAIR_FIELDS = {
  pair: id("The pair, such as `BTCUSD`."),
  display: string("Pair for display."),
  assetClass: word(OWN_ASSET_CLASSES, "The asset class of the pair."),
  tick: number("Tick size: the smallest step of the pair's quotes, in price units."),
  staleAfterMs: number("Age in milliseconds above which a quote is stale."),
  state: word(
    PRICE_STATES,
    "`live`: the pair has a fresh quote. `missing`: no source has a fresh quote, or the chosen one has none. `held`: fresh sources differ, or the only one is far from the last price. `unpriced`: no configured source has a symbol for the pair, or the chosen source is not configured. `closed`: the market is closed. `halted`: an operator halted the pair. `last`: the pair is retired, and exits fill at its last price.",
  ),
  problem: nullable(string("The reason of the state; null while it is `live` or `closed`.")),
  source: nullable(id("The source from which the pair's quotes come now; null without one.")),
  spreadPercent: nullable(
    number("Ask minus bid, in percent of the mid price; null without a quote."),
  ),
  changes: count("How often the source of the pair's quotes changed since the service started."),
  isBlocked: boolean("True if positions in the pair can only be reduced."),
  isRetired: boolean(
    "True if the pair is retired: its last price fills exits when no source has a newer one.",
  ),
  holders: count("Number of accounts with a position in the pair, on all nodes."),
};

export const OPERATOR_PRICE = object("The current prices of a pair, with its sources.", {
  nowMs: time("The service's current time."),
  description: string("The origin of the prices, for display."),
  isLive: boolean("True if prices come from venues; false if they are simulated or replayed."),
  ...PAIR_FIELDS,
  quote: nullable(
    object("The newest quote; null before the first.", {
      bid: BID,
      ask: ASK,
      atMs: time("Time of the quote."),
    }),
  ),
  sources: list(SOURCE_PRICE, "The pair's sources by priority; empty when `isLive` is false."),
  recent: list(
    nullable(number("The mid price; null when there was no quote in that time.")),
    "Mid prices of the last minutes, one for every ten seconds, oldest first.",
  ),
  choice: nullable(PRICE_CHOICE),
});
export type OperatorPrice = Wire<typeof OPERATOR_PRICE>;

const CHOICE_KINDS = ["auto", "use", "halt"] as const;

export const PRICE_LINE = object("The current prices of a pair, without its sources.", {
  pair: PAIR_FIELDS.pair,
  display: PAIR_FIELDS.display,
  assetClass: PAIR_FIELDS.assetClass,
  tick: PAIR_FIELDS.tick,
  staleAfterMs: PAIR_FIELDS.staleAfterMs,
  state: PAIR_FIELDS.state,
  problem: PAIR_FIELDS.problem,
  source: PAIR_FIELDS.source,
  bid: nullable(number("Bid of the newest quote; null before the first quote.")),
  ask: nullable(number("Ask of the newest quote; null before the first quote.")),
  quoteAtMs: nullable(time("Time of the newest quote; null before the first quote.")),
  lagMs: nullable(
    number("Lag of the source of the pair's quotes, in milliseconds; null when it is not known."),
  ),
  spreadPercent: PAIR_FIELDS.spreadPercent,
  changes: PAIR_FIELDS.changes,
  rejected: count(
    "Number of quotes of all the pair's sources that were rejected since the service started.",
  ),
  reconnects: count("Number of connections that all the pair's sources made after their first."),
  choiceKind: word(CHOICE_KINDS, "The operator's choice for the pair; `auto` without one."),
  choiceSource: nullable(id("The chosen source; null unless `choiceKind` is `use`.")),
  choiceReason: nullable(string("The operator's reason; null when none was given.")),
  choiceBy: nullable(
    string(
      "The person, token or component of the service that made the choice; null without a choice.",
    ),
  ),
  choiceAtMs: nullable(time("When the choice was made; null without a choice.")),
  choiceVersion: count("Number of the choice among those of the pair, from 1; 0 without a choice."),
  isBlocked: PAIR_FIELDS.isBlocked,
  isRetired: PAIR_FIELDS.isRetired,
  holders: PAIR_FIELDS.holders,
});
export type PriceLine = Wire<typeof PRICE_LINE>;

export const PRICES_LIST = describeList(PRICE_LINE, {
  sort: "pair",
  ties: ["pair"],
  parts: ["display", "source"],
  beginnings: ["pair"],
});

const REASON = string("The reason, for the audit log and the console.", {
  maxLength: PRICE_REASON_LENGTH_MAX,
});
const VERSION = omittable(
  count(
    "The `version` of the choice that the operator saw, 0 for none. If the choice has changed since, the answer is 409.",
  ),
);

export const USE_SOURCE = object("The only source to use for a pair.", {
  source: string("The name of one of the pair's sources."),
  far: optional(
    boolean(
      "True accepts a price that is farther from the pair's price than the limit, which is otherwise answered with 409. The default is false.",
    ),
  ),
  reason: omittable(REASON),
  version: VERSION,
});
export type UseSourceRequest = Wire<typeof USE_SOURCE>;

export const CHOOSE_AUTO = object("The return to the first source by priority. It lifts a halt.", {
  reason: omittable(REASON),
  version: VERSION,
});
export type ChooseAutoRequest = Wire<typeof CHOOSE_AUTO>;

export const HALT_PRICES = object("The halt of a pair.", { reason: REASON, version: VERSION });
export type HaltPricesRequest = Wire<typeof HALT_PRICES>;
