import type { AccountId } from "@propgate/core";
import type { OrderLineStore } from "./order-lines.ts";
import { orderMentions } from "./order-mentions.ts";

/** Lines of one step of the index; each step is stored, so a journal of any length is indexed once. */
const STEP = 2_000;

/** Indexes the orders of the lines since the last call, so none reads a history again. @rule D12.boundedWork decides */
export async function indexOrders(
  store: Pick<OrderLineStore, "unread" | "add">,
  account: AccountId,
): Promise<void> {
  for (;;) {
    const unread = await store.unread(account, STEP);
    const last = unread.at(-1);
    if (last === undefined) return;
    await store.add(account, await orderMentions(unread), last.seq);
    if (unread.length < STEP) return;
  }
}
