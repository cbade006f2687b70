import { liveMarket, type Market } from "../orders/guards.ts";
import { type Reacting, react, triggersOf } from "../orders/kinds.ts";
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
  for (let next = nextReaction(draft); next !== null; next = nextReaction(draft)) {
    react(draft, next);
  }
}

/** Trails first, then stops, then everything in the order in which it was placed. */
function nextReaction(draft: Draft): Reacting | null {
  const due = draft.state.orders
    .flatMap((order) => reactionsOf(draft, order))
    .sort((one, other) => REACTION_RANK[one.reaction] - REACTION_RANK[other.reaction]);
  return due[0] ?? null;
}

/** None while the market is closed or its quote is stale: the order waits. */
function reactionsOf(draft: Draft, order: RestingOrder): readonly Reacting[] {
  const market = marketOf(draft, order);
  if (market === null) return [];
  return triggersOf(order)
    .filter((trigger) => isReached(trigger, market.quote))
    .map(({ reaction }) => ({ order, reaction, market }));
}

function marketOf(draft: Draft, { pair }: RestingOrder): Market | null {
  const instrument = draft.moment.instruments.get(pair);
  if (instrument === undefined) return null;
  const live = liveMarket(draft.moment, instrument);
  return live.ok ? live.value : null;
}
