import type { AccountState } from "../account/account.ts";
import type { OrderUuid } from "../ids.ts";
import type { CancelOrders } from "../network/command.ts";
import type { Draft } from "../network/draft.ts";
import type { Refusal } from "../network/refusal.ts";
import { belongsTo } from "../positions/bracket-leg.ts";
import { ok, type Result, refuse } from "../result.ts";

/** All of them or none: one unknown id refuses the whole command. @rule D5.cancel */
export function cancelOrders(draft: Draft, command: CancelOrders): Result<null, Refusal> {
  const cancelled = cancelPlan(draft.state, command);
  if (!cancelled.ok) return cancelled;
  for (const orderUuid of cancelled.value) {
    draft.record({ type: "orderCancelled", orderUuid, reason: "owner", detail: null });
  }
  return ok(null);
}

/** By id an order brings its legs with it, which carry its id in theirs. */
function cancelPlan(
  state: AccountState,
  { target, pair }: CancelOrders,
): Result<readonly OrderUuid[], Refusal> {
  const resting = state.orders.map(({ uuid }) => uuid);
  if (target === "all") {
    const named = state.orders.filter((order) => pair === null || order.pair === pair);
    return ok(named.map(({ uuid }) => uuid));
  }
  const unknown = target.find((parent) => !resting.some((uuid) => belongsTo(uuid, parent)));
  if (unknown !== undefined) return refuse({ code: "unknownOrder", orderUuid: unknown });
  return ok(resting.filter((uuid) => target.some((parent) => belongsTo(uuid, parent))));
}
