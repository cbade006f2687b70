import type { PairId } from "../ids.ts";
import { liveMarket, type Market } from "../orders/guards.ts";
import { type Reacting, react, triggerLevels } from "../orders/kinds.ts";
import type { RestingOrder } from "../orders/order.ts";
import { isReached, REACTION_RANK } from "../orders/triggers.ts";
import type { Draft } from "./draft.ts";

/**
 * Lets the newest prices do what they do to the account's resting orders, one reaction after the
 * other, until none is left: a second settlement at the same prices finds nothing to do.
 * Every reaction takes an order away, turns a stop into its limit or moves a trail to the price of
 * now, so this comes to its end. @rule D5.triggers
 */
export function settle(draft: Draft): void {
  const markets = liveMarkets(draft);
  for (let next = nextReaction(draft, markets); next !== null; ) {
    react(draft, next);
    next = nextReaction(draft, markets);
  }
}

type Markets = ReadonlyMap<PairId, Market>;

/** An order whose market is closed, or whose quote is stale, waits. */
function liveMarkets(draft: Draft): Markets {
  const markets = new Map<PairId, Market>();
  for (const pair of new Set(draft.state.orders.map((order) => order.pair))) {
    const instrument = draft.moment.instruments.get(pair);
    if (instrument === undefined) continue;
    const live = liveMarket(draft.moment, instrument);
    if (live.ok) markets.set(pair, live.value);
  }
  return markets;
}

/** Trails first, then stops, then everything in the order in which it was placed. */
function nextReaction(draft: Draft, markets: Markets): Reacting | null {
  let next: Reacting | null = null;
  for (const order of draft.state.orders) {
    const due = firstReaction(order, markets.get(order.pair));
    if (due === null) continue;
    if (next === null || REACTION_RANK[due.reaction] < REACTION_RANK[next.reaction]) next = due;
  }
  return next;
}

function firstReaction(order: RestingOrder, market: Market | undefined): Reacting | null {
  if (market === undefined) return null;
  const trigger = triggerLevels(order).find((level) => isReached(level, market.quote));
  return trigger === undefined ? null : { order, reaction: trigger.reaction, market };
}
