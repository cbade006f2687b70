import type { Client, TradesPage } from "./client.ts";
import type { PayoutItem, TradeItem } from "./described/described-types.ts";
import { nextCursor } from "./page-cursor.ts";

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
    cursor = nextCursor(page.nextCursor, cursor);
  } while (cursor !== null);
}

/**
 * Every closed trade, newest first; pages are read as needed, so a long history is never in memory as a whole. `for
 * await (const trade of tradeItems(client)) …` @rule D13.tradesPage
 */
export async function* tradeItems(
  client: Pick<Client, "tradesPage">,
  options: { readonly pageSize?: number } = {},
): AsyncGenerator<TradeItem, void, undefined> {
  let after: string | null = null;
  do {
    const page: TradesPage = await client.tradesPage({
      ...(options.pageSize === undefined ? {} : { limit: options.pageSize }),
      ...(after === null ? {} : { after }),
    });
    yield* page.items;
    after = nextCursor(page.next, after);
  } while (after !== null);
}
