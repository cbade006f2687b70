import type { AccountId } from "@propgate/core";
import type { OrderLineStore } from "./order-lines.ts";
import { collectOrderMentions } from "./order-mentions.ts";

/**
 * The number of lines that one step indexes. Each step is stored, so no line is indexed twice, however long the journal
 * is.
 */
const LINES_PER_STEP = 2_000;

/**
 * Indexes the orders that occur in the account's lines since the last call. Earlier lines are not read again.
 * @rule D12.boundedWork decides
 */
export async function indexOrders(
  store: Pick<OrderLineStore, "readUnindexed" | "add">,
  account: AccountId,
): Promise<void> {
  for (;;) {
    const unread = await store.readUnindexed(account, LINES_PER_STEP);
    const last = unread.at(-1);
    if (last === undefined) return;
    await store.add(account, await collectOrderMentions(unread), last.seq);
    if (unread.length < LINES_PER_STEP) return;
  }
}
