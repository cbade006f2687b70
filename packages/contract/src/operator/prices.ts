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

const BID = number("Bid.");
const ASK = number("Ask.");

const PRICE_CHOICE_FIELDS = {
  pair: string("The pair, such as `BTCUSD`."),
  kind: word(
    ["auto", "use", "halt"],
    "`auto`: the first source by priority. `use`: one source alone. `halt`: no quotes at all.",
  ),
  source: nullable(string("The chosen source; null unless `kind` is `use`.")),
  far: boolean("Whether the operator accepted a price of the source that is far from the pair's."),
  reason: nullable(string("Why; null when no reason was given.")),
  by: string("The person, token or part of the service that made the choice."),
  atMs: time("When it was chosen."),
  version: count("Counts the choices of the pair, from 1."),
};

export const PRICE_CHOICE = object(
  "An operator's choice for the prices of a pair.",
  PRICE_CHOICE_FIELDS,
);
export type PriceChoiceView = Wire<typeof PRICE_CHOICE>;

const sidesOfSource = (description: string) =>
  nullable(
    object(description, {
      source: nullable(string("Its source; null when it is not known.")),
      bid: BID,
      ask: ASK,
      atMs: time("Time of the quote."),
    }),
  );

export const PRICE_EFFECT = object("What the choice of a source does.", {
  from: sidesOfSource(
    "The price that is left: the farthest of the pair's present one and the other sources' fresh ones; null without any.",
  ),
  to: sidesOfSource("The price that is taken; null while the source has no fresh one."),
  distancePct: nullable(
    number("From `from` to `to`, percent of the middle of `from`; null when one of them is."),
  ),
  limitPct: number("The pair's limit: beyond it the choice needs `far`, percent."),
  isFar: boolean("Whether the distance is beyond the limit."),
  holders: count("Accounts that hold a position in the pair."),
  triggers: count("Stops, targets and pending entries that `to` reaches."),
  triggeredAccounts: count("The accounts of these."),
});
export type PriceEffectView = Wire<typeof PRICE_EFFECT>;

export const SOURCE_CHOICE = object("A chosen source, and what the choice did.", {
  ...PRICE_CHOICE_FIELDS,
  effect: PRICE_EFFECT,
});

const SOURCE_PRICE = object("A source of the pair, as it is now.", {
  name: string("Its name, such as `kraken`."),
  connection: word(["connecting", "up", "down"], "The state of its connection."),
  problem: nullable(string("Why the connection is down; null while it is up.")),
  reconnects: count("Connections that it made after the first."),
  isSpeaking: boolean("Whether its quotes are the pair's quotes now."),
  isHealthy: boolean("Whether it has a fresh quote and its last one was not rejected."),
  healthyForMs: nullable(
    number("How long it has been healthy, milliseconds; null while it is not."),
  ),
  quote: nullable(
    object("Its newest usable quote; null when it has none.", {
      bid: BID,
      ask: ASK,
      madeAtMs: nullable(time("The venue's own time; null when it sends none.")),
      receivedAtMs: time("Time of receipt."),
    }),
  ),
  lagMs: nullable(
    number("Receipt minus the venue's own time, milliseconds; null when the venue sends none."),
  ),
  accepted: count("Quotes that became the pair's quote since the start."),
  rejected: object("Quotes that were rejected since the start, by reason.", {
    invalid: count("A price that is not above 0."),
    crossed: count("A bid above the ask."),
    future: count("A venue's time that has not come yet."),
    late: count("Older than the pair's limit when it arrived."),
    older: count("Older than the source's quote before, or than the pair's."),
    closed: count("Made while the pair's market was closed."),
    outlier: count("Far from the pair's last quote, and not confirmed."),
    disagreeing: count("Too far from the pair's other fresh sources."),
  }),
});
export type SourcePrice = Wire<typeof SOURCE_PRICE>;

const PAIR_FIELDS = {
  pair: id("The pair, such as `BTCUSD`."),
  display: string("Its name for people."),
  assetClass: word(OWN_ASSET_CLASSES, "Its asset class."),
  tick: number("The smallest price step."),
  staleAfterMs: number("Age in milliseconds at which a quote is stale."),
  state: word(
    PRICE_STATES,
    "`live`: a fresh quote. `missing`: no source has a fresh one, or the chosen one has none. `held`: fresh sources differ, or the only one is far from the last price. `unpriced`: no configured source has a symbol for the pair, or the chosen one is not configured. `closed`: its market is closed. `halted`: an operator halted it. `last`: it is retired, and exits fill at its last price.",
  ),
  problem: nullable(string("The reason for the state; null while it is `live` or `closed`.")),
  source: nullable(id("The source that speaks for the pair; null when none does.")),
  spreadPercent: nullable(number("Ask minus bid, percent of their middle; null without a quote.")),
  changes: count("How often the speaking source changed since the start."),
  isBlocked: boolean("Whether positions in it can only be reduced."),
  isRetired: boolean("Whether its last price fills exits once no source has another."),
  holders: count("Accounts that hold a position in it, of all nodes."),
};

export const OPERATOR_PRICE = object("The prices of a pair now, with its sources.", {
  nowMs: time("The service's time."),
  description: string("Where prices come from, for people."),
  isLive: boolean("Whether prices come from venues; else they are simulated or replayed."),
  ...PAIR_FIELDS,
  quote: nullable(
    object("The newest quote; null before the first.", {
      bid: BID,
      ask: ASK,
      atMs: time("Time of the quote."),
    }),
  ),
  sources: list(SOURCE_PRICE, "The pair's sources by priority; empty when prices are not live."),
  recent: list(
    nullable(number("The middle of bid and ask; null without a quote in that time.")),
    "The last minutes, oldest first: one price for every ten seconds.",
  ),
  choice: nullable(PRICE_CHOICE),
});
export type OperatorPrice = Wire<typeof OPERATOR_PRICE>;

const CHOICE_KINDS = ["auto", "use", "halt"] as const;

export const PRICE_LINE = object("The prices of a pair now, without its sources.", {
  pair: PAIR_FIELDS.pair,
  display: PAIR_FIELDS.display,
  assetClass: PAIR_FIELDS.assetClass,
  tick: PAIR_FIELDS.tick,
  staleAfterMs: PAIR_FIELDS.staleAfterMs,
  state: PAIR_FIELDS.state,
  problem: PAIR_FIELDS.problem,
  source: PAIR_FIELDS.source,
  bid: nullable(number("The newest bid; null before the first quote.")),
  ask: nullable(number("The newest ask; null before the first quote.")),
  quoteAtMs: nullable(time("Time of the newest quote; null before the first.")),
  lagMs: nullable(
    number("Lag of the source that speaks, milliseconds; null when it is not known."),
  ),
  spreadPercent: PAIR_FIELDS.spreadPercent,
  changes: PAIR_FIELDS.changes,
  rejected: count("Quotes of all its sources that were rejected since the start."),
  reconnects: count("Connections that all its sources made after their first."),
  choiceKind: word(CHOICE_KINDS, "The operator's choice; `auto` without one."),
  choiceSource: nullable(id("The chosen source; null unless `choiceKind` is `use`.")),
  choiceReason: nullable(string("Why; null when no reason was given.")),
  choiceBy: nullable(string("The person, token or part of the service that made the choice.")),
  choiceAtMs: nullable(time("When it was chosen; null without a choice.")),
  choiceVersion: count("Counts the choices of the pair; 0 without one."),
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

const REASON = string("Why, for the audit and the console.", {
  maxLength: PRICE_REASON_LENGTH_MAX,
});
const VERSION = omittable(
  count(
    "The `version` of the choice that the operator saw, 0 for none; answers 409 if it changed.",
  ),
);

export const USE_SOURCE = object("The only source to use for a pair.", {
  source: string("One of the pair's sources."),
  far: optional(
    boolean(
      "Accepts a price beyond the pair's limit; without it the choice is rejected (409). False by default.",
    ),
  ),
  reason: omittable(REASON),
  version: VERSION,
});
export type UseSourceRequest = Wire<typeof USE_SOURCE>;

export const CHOOSE_AUTO = object("Back to the first source by priority; lifts a halt.", {
  reason: omittable(REASON),
  version: VERSION,
});
export type ChooseAutoRequest = Wire<typeof CHOOSE_AUTO>;

export const HALT_PRICES = object("A halt of a pair.", { reason: REASON, version: VERSION });
export type HaltPricesRequest = Wire<typeof HALT_PRICES>;
