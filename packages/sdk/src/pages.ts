import type { Client } from "./client.ts";
import type { PayoutItem } from "./described/described-types.ts";

/**
 * Every closed payout cycle, newest first; pages are read as needed. `for await (const cycle of
 * payoutItems(client)) …` @rule S4.1.cursor
 */
export async function* payoutItems(
  client: Pick<Client, "payouts">,
  options: { readonly pageSize?: number } = {},
): AsyncGenerator<PayoutItem, void, undefined> {
  let cursor: string | null = null;
  do {
    const page = await client.payouts({
      ...(options.pageSize === undefined ? {} : { limit: options.pageSize }),
      ...(cursor === null ? {} : { cursor }),
    });
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
