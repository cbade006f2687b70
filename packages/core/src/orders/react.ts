import type { Market } from "../market/live-market.ts";
import type { Reaction } from "../pending/triggers.ts";
import type { Draft } from "../state/draft.ts";
import type { PendingOrder } from "../state/order.ts";
import { reactLeg } from "./bracket.ts";
import { fillPending } from "./entry.ts";

/** A pending order whose trigger the market has reached. */
export interface ReachedOrder {
  readonly order: PendingOrder;
  readonly reaction: Reaction;
  readonly market: Market;
}

export function react(draft: Draft, { order, reaction, market }: ReachedOrder): void {
  if (order.kind === "bracket") reactLeg(draft, order, { market, reaction });
  else if (reaction === "stop") draft.record({ type: "stopTriggered", orderUuid: order.uuid });
  else fillPending(draft, order, market);
}
