import type { PairId } from "../ids.ts";
import { liveMarket, type Market } from "../market/live-market.ts";
import { carryOutLegReaction } from "../orders/bracket.ts";
import { closeWaitingPositions } from "../orders/dead-mans-switch.ts";
import { fillPending } from "../orders/entry.ts";
import { opensOrAdds } from "../orders/guards.ts";
import { entryReaction, triggersOf } from "../pending/entry-kinds.ts";
import { isReached, type Reaction } from "../pending/triggers.ts";
import type { Draft } from "../state/draft.ts";
import type { PendingOrder } from "../state/order.ts";
import type { Position } from "../state/position.ts";
import { judge } from "./judge.ts";

/**
 * Closes the positions that a dead man's switch left open, then applies the latest prices to the account's pending
 * orders, one reaction at a time. The account is judged after its exits, so prices that end it or its challenge open
 * no position. A second run at the same prices does nothing. The loop ends because every reaction removes an order,
 * turns a stop-limit into a limit order, or moves a trailing stop to the present price. @rule D5.triggers decides
 * @rule D10.endBeforeEntry decides
 */
export function applyPricesToOrders(draft: Draft): void {
  closeWaitingPositions(draft);
  const markets = liveMarkets(draft);
  for (let next = nextReaction(draft, markets); next !== null; ) {
    if (stepOf(next, draft.state.positions) === REACTION_STEPS.open) judge(draft);
    if (draft.state.orders.includes(next.order)) carryOutReaction(draft, next);
    next = nextReaction(draft, markets);
  }
}

type Markets = ReadonlyMap<PairId, Market>;

/** A pending order whose trigger the market has reached. */
interface ReachedOrder {
  readonly order: PendingOrder;
  readonly reaction: Reaction;
  readonly market: Market;
}

function carryOutReaction(draft: Draft, { order, reaction, market }: ReachedOrder): void {
  if (order.kind === "bracket") carryOutLegReaction(draft, order, { market, reaction });
  else if (reaction === "stop") draft.record({ type: "stopTriggered", orderUuid: order.uuid });
  else fillPending(draft, order, market);
}

/** The live markets of the pairs with pending orders. Orders on a pair without a live market wait. */
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

/**
 * The order in which one quote acts on the pending orders; within a step the oldest order is first. @rule D10.oneQuote
 * @rule D5.slFirst decides
 */
const REACTION_STEPS = { trail: 0, stopLoss: 1, reduce: 2, takeProfit: 3, open: 4 } as const;

type Step = (typeof REACTION_STEPS)[keyof typeof REACTION_STEPS];

/**
 * The reaction that comes next: of all orders that their markets have reached, the oldest one of the earliest step.
 * Entries that wait for a fresh conversion rate are left out. Null when no other order is reached.
 * @rule D10.oneQuote decides
 */
function nextReaction(draft: Draft, markets: Markets): ReachedOrder | null {
  let next: ReachedOrder | null = null;
  let nextStep: Step | null = null;
  for (const order of draft.state.orders) {
    const due = findReachedOrder(order, markets.get(order.pair));
    if (due === null) continue;
    const step = stepOf(due, draft.state.positions);
    // An entry that would open or add waits for a fresh conversion rate, as it waits for a price of its own pair.
    // @rule D12.staleRate
    if (step === REACTION_STEPS.open && due.market.staleRate !== null) continue;
    if (nextStep !== null && step >= nextStep) continue;
    next = due;
    nextStep = step;
  }
  return next;
}

/** The step of a reaction. The step of an entry depends on the pair's open position. */
function stepOf({ order, reaction }: ReachedOrder, positions: readonly Position[]): Step {
  switch (reaction) {
    case "ratchet":
      return REACTION_STEPS.trail;
    case "stopLoss":
      return REACTION_STEPS.stopLoss;
    case "takeProfit":
      return REACTION_STEPS.takeProfit;
    case "stop":
    case "fill":
      return opensOrAdds(order, positions) ? REACTION_STEPS.open : REACTION_STEPS.reduce;
  }
}

function findReachedOrder(order: PendingOrder, market: Market | undefined): ReachedOrder | null {
  if (market === undefined) return null;
  const reaction = reactionOf(order, market);
  return reaction === null ? null : { order, reaction, market };
}

function reactionOf(order: PendingOrder, { quote }: Market): Reaction | null {
  if (order.kind !== "bracket") return entryReaction(order, quote);
  return triggersOf(order).find((level) => isReached(level, quote))?.reaction ?? null;
}
