/** The triggers of each kind of pending order, and its reaction to them. */

import type { Market } from "../market/live-market.ts";
import {
  bracketTriggers,
  limitTriggers,
  type Reaction,
  stopTriggers,
  type Trigger,
} from "../pending/triggers.ts";
import type { Draft } from "../state/draft.ts";
import type { PendingOrder } from "../state/order.ts";
import { reactLeg } from "./bracket.ts";
import { fillLimit } from "./limit.ts";
import { triggerStop } from "./stop-limit.ts";

/** The triggers of a pending order, in the order of their effects. The trigger book indexes them. */
export function triggerLevels(order: PendingOrder): readonly Trigger[] {
  switch (order.kind) {
    case "limit":
      return limitTriggers(order);
    case "stopLimit":
      return stopTriggers(order);
    case "bracket":
      return bracketTriggers(order);
  }
}

export interface Reacting {
  readonly order: PendingOrder;
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
