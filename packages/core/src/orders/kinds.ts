/** The registry of resting orders: which prices each kind waits for, and what it does at them. */
import type { Draft } from "../network/draft.ts";
import { bracketTriggers, reactLeg } from "./bracket.ts";
import type { Market } from "./guards.ts";
import { fillLimit, limitTriggers } from "./limit.ts";
import type { RestingOrder } from "./order.ts";
import { stopLimitTriggers, triggerStop } from "./stop-limit.ts";
import type { Reaction, Trigger } from "./triggers.ts";

/** In the order of `REACTION_RANK`; what an order waits for is also what a book of prices indexes. */
export function triggerLevels(order: RestingOrder): readonly Trigger[] {
  switch (order.kind) {
    case "limit":
      return limitTriggers(order);
    case "stopLimit":
      return stopLimitTriggers(order);
    case "bracket":
      return bracketTriggers(order);
  }
}

export interface Reacting {
  readonly order: RestingOrder;
  readonly reaction: Reaction;
  readonly market: Market;
}

export function react(draft: Draft, { order, reaction, market }: Reacting): void {
  switch (order.kind) {
    case "limit":
      fillLimit(draft, order, market);
      break;
    case "stopLimit":
      triggerStop(draft, order);
      break;
    case "bracket":
      reactLeg(draft, order, { market, reaction });
      break;
  }
}
