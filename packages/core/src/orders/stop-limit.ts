import type { PlaceStopLimit } from "../network/command.ts";
import type { Draft } from "../network/draft.ts";
import type { Refusal } from "../network/refusal.ts";
import type { Result } from "../result.ts";
import { restEntry } from "./limit.ts";
import type { StopLimitOrder } from "./order.ts";
import type { Trigger } from "./triggers.ts";

/** Watches the mid price; then it is a limit order under the same uuid. @rule D5.stopLimit */
export function placeStopLimit(draft: Draft, command: PlaceStopLimit): Result<null, Refusal> {
  const { type: _type, orderUuid: uuid, ...rest } = command;
  return restEntry(draft, { ...rest, kind: "stopLimit", uuid, placedAtMs: draft.moment.now });
}

export function stopLimitTriggers(order: StopLimitOrder): readonly Trigger[] {
  const when = order.stopCondition === "gte" ? "atOrAbove" : "atOrBelow";
  return [{ side: "mid", when, price: order.stopPrice, reaction: "stop" }];
}

export function triggerStop(draft: Draft, order: StopLimitOrder): void {
  draft.record({ type: "stopTriggered", orderUuid: order.uuid });
}
