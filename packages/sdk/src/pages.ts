import type { Linked } from "@propgate/contract";
import type { Client } from "./client.ts";
import type { PayoutItem, Payouts, TradeItem } from "./described/described-types.ts";
import { UnexpectedAnswerError } from "./errors.ts";

/** Options of reading a list page by page. */
export interface PageOptions {
  /** The number of items on a page; the service's default when absent. */
  readonly pageSize?: number;
}

/**
 * Every page of closed payout cycles, newest first, each with the estimate of the cycle in progress. A page is read
 * when it is needed. @rule S4.1.cursor
 */
export function payoutPages<Unsent extends Linked = never>(
  client: Pick<Client<Unsent>, "payouts">,
  options: PageOptions = {},
): AsyncGenerator<Payouts<Unsent>, void, undefined> {
  return pagesAfter(
    (cursor) => client.payouts({ ...limitOf(options), ...(cursor === null ? {} : { cursor }) }),
    ({ nextCursor }) => nextCursor,
  );
}

/**
 * Every closed payout cycle, newest first: `for await (const cycle of payoutItems(client)) …`. A page is read when it
 * is needed. @rule S4.1.cursor
 */
export async function* payoutItems(
  client: Pick<Client, "payouts">,
  options: PageOptions = {},
): AsyncGenerator<PayoutItem, void, undefined> {
  for await (const { items } of payoutPages(client, options)) yield* items;
}

/**
 * Every closed trade, newest first: `for await (const trade of tradeItems(client)) …`. A page is read when it is
 * needed, so a long history is never in memory as a whole. @rule D13.tradesPage
 */
export async function* tradeItems(
  client: Pick<Client, "tradesPage">,
  options: PageOptions = {},
): AsyncGenerator<TradeItem, void, undefined> {
  const pages = pagesAfter(
    (after) => client.tradesPage({ ...limitOf(options), ...(after === null ? {} : { after }) }),
    ({ next }) => next,
  );
  for await (const { items } of pages) yield* items;
}

function limitOf({ pageSize }: PageOptions): { readonly limit?: number } {
  return pageSize === undefined ? {} : { limit: pageSize };
}

/**
 * The pages one after the other. A page that names itself as the next one is an error, because it would be read without
 * end.
 */
async function* pagesAfter<Page>(
  read: (cursor: string | null) => Promise<Page>,
  nextOf: (page: Page) => string | null | undefined,
): AsyncGenerator<Page, void, undefined> {
  let cursor: string | null = null;
  do {
    const page: Page = await read(cursor);
    const next: string | null = nextOf(page) ?? null;
    yield page;
    if (next !== null && next === cursor) throw new UnexpectedAnswerError(200);
    cursor = next;
  } while (cursor !== null);
}
