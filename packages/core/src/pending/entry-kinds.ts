/**
 * The kinds of entry orders. A new kind needs only a row in `ENTRY_KIND_RULES`; the rest of the core uses the functions
 * below it.
 */

import type { Quote } from "../market/quote.ts";
import type { Moment } from "../state/moment.ts";
import type { Direction, EntryKind, EntryKinds, EntryOrder, PendingOrder } from "../state/order.ts";
import type { NamedPrice } from "../state/refusal.ts";
import { type Price, price } from "../units.ts";
import {
  bracketTriggers,
  entrySide,
  isReached,
  priceAtSide,
  type Reaction,
  type Trigger,
} from "./triggers.ts";

/** The own prices of a kind of entry, without those of its legs, by field. */
type OwnPrices<Kind extends EntryKind> = {
  readonly [Each in Kind]: Pick<EntryKinds[Each], PriceName<EntryKinds[Each]>>;
}[Kind];
type PriceName<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Price ? Name : never;
}[keyof Fields];

/** The rules by which one kind of entry differs from the others. */
interface EntryRules<Kind extends EntryKind> {
  /** The prices that the market has to reach, and the reaction to each. */
  readonly triggers: (order: EntryOrder<Kind>) => readonly Trigger[];
  /** The worst price at which the order may fill; null for a kind that fills at any price. */
  readonly worstPrice: (order: EntryOrder<Kind>) => Price | null;
  /** The order's own prices, each changed by `change`, for example by a split. */
  readonly prices: (order: EntryOrder<Kind>, change: (price: Price) => Price) => OwnPrices<Kind>;
}

type EntryKindRows<Kind extends EntryKind> = { readonly [Each in Kind]: EntryRules<Each> };

const ENTRY_KIND_RULES: EntryKindRows<EntryKind> = {
  /** A LONG fills when ask ≤ limit, a SHORT when bid ≥ limit. @rule D5.limit */
  limit: {
    triggers: ({ direction, limitPrice }) => {
      const when = direction === "long" ? "atOrBelow" : "atOrAbove";
      return [{ side: entrySide(direction), when, price: limitPrice, reaction: "fill" }];
    },
    worstPrice: ({ limitPrice }) => limitPrice,
    prices: ({ limitPrice }, change) => ({ limitPrice: change(limitPrice) }),
  },
  /** Becomes a limit order with the same uuid when the mid price reaches its stop. @rule D5.stopLimit decides */
  stopLimit: {
    triggers: ({ stopCondition, stopPrice }) => {
      const when = stopCondition === "gte" ? "atOrAbove" : "atOrBelow";
      return [{ side: "mid", when, price: stopPrice, reaction: "stop" }];
    },
    worstPrice: ({ limitPrice }) => limitPrice,
    prices: ({ limitPrice, stopPrice }, change) => ({
      limitPrice: change(limitPrice),
      stopPrice: change(stopPrice),
    }),
  },
};

/** The row of the table for the order's kind. */
function rulesOf<Kind extends EntryKind>(
  kinds: EntryKindRows<Kind>,
  { kind }: EntryOrder<Kind>,
): EntryRules<Kind> {
  return kinds[kind];
}

/** The triggers of a pending order, in the order in which they take effect. The trigger book indexes them. */
export function triggersOf(order: PendingOrder): readonly Trigger[] {
  return order.kind === "bracket"
    ? bracketTriggers(order)
    : rulesOf(ENTRY_KIND_RULES, order).triggers(order);
}

/**
 * The reaction of an entry to the quote; null when the quote reaches no trigger, or the order is held at this quote.
 * @rule D10.exitHeld
 */
export function entryReaction(order: EntryOrder, quote: Quote): Reaction | null {
  if (isHeldAt(order, quote)) return null;
  return triggersOf(order).find((level) => isReached(level, quote))?.reaction ?? null;
}

/**
 * Whether the entry would fill at this quote: the quote reaches its trigger and is not worse than the worst price that
 * the entry accepts.
 */
export function isMarketable(order: EntryOrder, quote: Quote): boolean {
  const isTriggered = triggersOf(order).some((level) => isReached(level, quote));
  return isTriggered && fillPrice(order, quote) === quotedPrice(order, quote);
}

/** Whether the entry fills when it is triggered; false for a stop-limit, which first becomes a limit order. */
export function fillsWhenTriggered(order: EntryOrder): boolean {
  return triggersOf(order).some(({ reaction }) => reaction === "fill");
}

/**
 * The price at which the entry fills: the worst price that it accepts, which is its limit price, or the quote,
 * whichever is better for the trader. @rule D5.limitPrice decides
 */
export function fillPrice(order: EntryOrder, quote: Quote): Price {
  const quoted = quotedPrice(order, quote);
  const worst = rulesOf(ENTRY_KIND_RULES, order).worstPrice(order);
  return worst === null ? quoted : price(BETTER_PRICE[order.direction](worst, quoted));
}

/**
 * The price with which a pending entry is checked: its worst price, or the quote when it has none. Null when neither is
 * known.
 */
export function pendingPrice(order: EntryOrder, { quotes }: Pick<Moment, "quotes">): Price | null {
  const worst = rulesOf(ENTRY_KIND_RULES, order).worstPrice(order);
  const quote = quotes.get(order.pair);
  return worst ?? (quote === undefined ? null : quotedPrice(order, quote));
}

const OWN_PRICES = ["limitPrice", "stopPrice"] as const;

/** The order's own prices, without those of its legs, in the order in which they are checked. */
export function ownPrices(order: EntryOrder): readonly NamedPrice[] {
  const prices: Partial<Record<(typeof OWN_PRICES)[number], Price>> = order;
  return OWN_PRICES.flatMap((field) => {
    const { [field]: own } = prices;
    return own === undefined ? [] : [{ field, leg: null, price: own }];
  });
}

/** The order with `change` applied to each of its own prices. */
export function withOwnPrices(order: EntryOrder, change: (price: Price) => Price): EntryOrder {
  return { ...order, ...rulesOf(ENTRY_KIND_RULES, order).prices(order, change) };
}

function quotedPrice({ direction }: EntryOrder, quote: Quote): Price {
  return priceAtSide(quote, entrySide(direction));
}

const BETTER_PRICE: Readonly<Record<Direction, (one: number, other: number) => number>> = {
  long: Math.min,
  short: Math.max,
};

function isHeldAt({ heldAt }: EntryOrder, { bid, ask, atMs }: Quote): boolean {
  return heldAt !== undefined && heldAt.atMs === atMs && heldAt.bid === bid && heldAt.ask === ask;
}
