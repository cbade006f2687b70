import type { Instruments } from "../market/instrument.ts";
import type { AccountState } from "../state/account.ts";
import type { Draft } from "../state/draft.ts";
import type { EntryOrder } from "../state/order.ts";
import { opensOrAdds, pairRefusal } from "./guards.ts";

/**
 * The pending entries of an active account that may not open or add, because their pair is blocked or outside the
 * account's class. An order that would reduce a position is not among them. @rule D13.barredEntries decides
 */
export function barredEntries(
  { status, orders, positions, terms }: AccountState,
  instruments: Instruments,
): readonly EntryOrder[] {
  if (status !== "active") return [];
  return orders.filter((order): order is EntryOrder => {
    if (order.kind === "bracket" || !opensOrAdds(order, positions)) return false;
    const instrument = instruments.get(order.pair);
    return instrument !== undefined && pairRefusal(terms, instrument) !== null;
  });
}

/** Cancels the pending entries that may not open or add. @rule D13.barredEntries */
export function cancelBarredEntries(draft: Draft): void {
  for (const { uuid } of barredEntries(draft.state, draft.moment.instruments)) {
    const reason = "pairBlocked";
    draft.record({ type: "orderCancelled", orderUuid: uuid, reason, detail: null });
  }
}
