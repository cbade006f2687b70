import { assert } from "../assert.ts";
import type { OrderUuid } from "../ids.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { AccountState } from "../state/account.ts";
import type { CancelOrders } from "../state/command.ts";
import type { Draft } from "../state/draft.ts";
import type { Refusal } from "../state/refusal.ts";
import { directionRefusal, requireInstrument } from "./guards.ts";

/**
 * Cancels the pending orders that the command selects. Refused when the command names a pair that no catalogue knows,
 * with `ALL` and with ids alike, or when `cancelPlan` refuses it. @rule D10.cancelPair decides
 */
export function cancelOrders(draft: Draft, command: CancelOrders): Result<null, Refusal> {
  if (command.pair !== null) {
    const known = requireInstrument(draft.moment, command.pair);
    if (!known.ok) return known;
  }
  const cancelled = cancelPlan(draft.state, command);
  if (!cancelled.ok) return cancelled;
  for (const orderUuid of cancelled.value) {
    draft.record({ type: "orderCancelled", orderUuid, reason: "owner", detail: null });
  }
  return ok(null);
}

/**
 * The ids of the pending orders that a command cancels; ids that are not pending are skipped. An id names one order
 * only: naming an entry does not name its legs, which have ids of their own after its fill. Refused when ids are named
 * and none of them is pending, or one of the orders does not have the direction that the request repeats.
 * @rule D5.cancel D10.lists D13.oneOrder D13.pairOfIds decides
 */
function cancelPlan(
  { orders }: AccountState,
  { target, pair, repeatedDirection }: CancelOrders,
): Result<readonly OrderUuid[], Refusal> {
  const ofPair = orders.filter((order) => pair === null || order.pair === pair);
  // The legs of a pending entry are a part of it, so they are cancelled with it.
  if (target === "all") return ok(ofPair.map(({ uuid }) => uuid));
  const found = ofPair.filter(({ uuid }) => target.includes(uuid));
  const [first] = target;
  assert(first !== undefined, "a list of ids with an id");
  if (found.length === 0) {
    const named = pair === null ? {} : { pair };
    return refuse({ code: "unknownOrder", orderUuid: first, ...named });
  }
  const refusal = directionRefusal(found, repeatedDirection);
  return refusal === null ? ok(found.map(({ uuid }) => uuid)) : refuse(refusal);
}
