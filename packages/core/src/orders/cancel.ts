import { assert } from "../assert.ts";
import type { OrderUuid } from "../ids.ts";
import { belongsTo } from "../pending/bracket-leg.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { AccountState } from "../state/account.ts";
import type { CancelOrders } from "../state/command.ts";
import type { Draft } from "../state/draft.ts";
import type { Refusal } from "../state/refusal.ts";
import { knownPair } from "./guards.ts";

/** Cancels the pending orders of a list; refused when none is pending. @rule D5.cancel D10.lists D10.cancelPair */
export function cancelOrders(draft: Draft, command: CancelOrders): Result<null, Refusal> {
  if (command.pair !== null) {
    const known = knownPair(draft.moment, command.pair);
    if (!known.ok) return known;
  }
  const cancelled = cancelPlan(draft.state, command);
  if (!cancelled.ok) return cancelled;
  for (const orderUuid of cancelled.value) {
    draft.record({ type: "orderCancelled", orderUuid, reason: "owner", detail: null });
  }
  return ok(null);
}

/** Cancelling an id also cancels its legs, whose ids start with it. */
function cancelPlan(
  state: AccountState,
  { target, pair }: CancelOrders,
): Result<readonly OrderUuid[], Refusal> {
  const pending = state.orders.map(({ uuid }) => uuid);
  if (target === "all") {
    const named = state.orders.filter((order) => pair === null || order.pair === pair);
    return ok(named.map(({ uuid }) => uuid));
  }
  const found = pending.filter((uuid) => target.some((parent) => belongsTo(uuid, parent)));
  const [first] = target;
  assert(first !== undefined, "a list of ids with an id");
  return found.length === 0 ? refuse({ code: "unknownOrder", orderUuid: first }) : ok(found);
}
