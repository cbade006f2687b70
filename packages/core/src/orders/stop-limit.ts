import type { Result } from "../result.ts";
import type { PlaceStopLimit } from "../state/command.ts";
import type { Draft } from "../state/draft.ts";
import type { StopLimitOrder } from "../state/order.ts";
import type { Refusal } from "../state/refusal.ts";
import { placeEntry } from "./limit.ts";

/** Becomes a limit order with the same uuid when the mid price reaches its stop. @rule D5.stopLimit */
export function placeStopLimit(draft: Draft, command: PlaceStopLimit): Result<null, Refusal> {
  const { type: _type, orderUuid: uuid, ...rest } = command;
  return placeEntry(draft, { ...rest, kind: "stopLimit", uuid, placedAtMs: draft.moment.now });
}

export function triggerStop(draft: Draft, order: StopLimitOrder): void {
  draft.record({ type: "stopTriggered", orderUuid: order.uuid });
}
