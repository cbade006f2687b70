import { LIMITS } from "@propgate/contract";
import { type AccountId, CHAIN_START, type ChainedLine } from "@propgate/core";
import type { EventLines } from "../../storage/journal/event-lines.ts";
import { indexOrders } from "../../storage/journal/index-orders.ts";
import type { OrderLineStore, OrderLines, OrderPage } from "../../storage/journal/order-lines.ts";
import {
  type CursorProblem,
  findCursorLine,
  type LineRef,
  type LinesRequest,
} from "../events/event-desk.ts";

/** Selects a page of an account's orders or fills. */
export interface HistoryPage extends Omit<OrderPage, "after"> {
  /**
   * The line after which the page begins. Null selects the newest items, or with `sinceMs` the first ones since then.
   */
  readonly after: LinesRequest["after"] | null;
  /** Selects only the orders and fills from this time on; null selects all. */
  readonly sinceMs: number | null;
}

/** A page of orders or fills, or why its cursor names no line. */
export type HistoryRead<Item> =
  | {
      readonly ok: true;
      readonly items: readonly Item[];
      /** The line after which the next page begins. */
      readonly next: LineRef;
    }
  | { readonly ok: false; readonly problem: CursorProblem };

/** The life of one order, or why the cursor names no line. */
export type LifeRead =
  | {
      readonly ok: true;
      /** The lines that determine the order's present terms. */
      readonly outline: readonly ChainedLine[];
      /** The lines of the order after the cursor, up to the maximum of an answer. */
      readonly following: readonly ChainedLine[];
      readonly hasMore: boolean;
    }
  | { readonly ok: false; readonly problem: CursorProblem };

/** Finds orders, their lines and their fills in the account's journal. */
export interface OrderLifeDesk {
  /** The order, and its lines after the cursor. Null when no line names the id. */
  find(
    account: AccountId,
    orderUuid: string,
    after: LinesRequest["after"] | null,
  ): Promise<LifeRead | null>;
  /** The orders of the page, in the order of their first lines, oldest first. */
  orders(account: AccountId, page: HistoryPage): Promise<HistoryRead<OrderLines>>;
  /** The fills of the page, oldest first. */
  fills(account: AccountId, page: HistoryPage): Promise<HistoryRead<ChainedLine>>;
}

/** The maximum number of events in an answer, the same as in a page of events. */
const EVENTS_MAX = LIMITS.eventsLimitMax;

/** Creates the desk. Before each read it indexes the new lines of the account by their orders. @rule D9.orderLife */
export function createOrderLifeDesk(options: {
  readonly lines: EventLines;
  readonly store: OrderLineStore;
}): OrderLifeDesk {
  const { lines, store } = options;
  const read = async <Item>(
    account: AccountId,
    { after, sinceMs, ...rest }: HistoryPage,
    query: (page: OrderPage) => Promise<readonly (readonly [Item, ChainedLine])[]>,
  ): Promise<HistoryRead<Item>> => {
    const at: LineRef | CursorProblem =
      after === null ? START : await findCursorLine(lines, account, after);
    if ("kind" in at) return { ok: false, problem: at };
    await indexOrders(store, account);
    // A page after a time begins with the first items after that time, like a page after a cursor.
    const before = sinceMs === null ? 0 : (await store.firstLineSince(account, sinceMs)) - 1;
    const from = after === null && sinceMs === null ? null : Math.max(at.sequence, before);
    const found = await query({ ...rest, after: from });
    const last = found.at(-1)?.[1];
    const next = last === undefined ? at : { sequence: last.seq, hash: last.hash };
    return { ok: true, items: found.map(([item]) => item), next };
  };
  return {
    async find(account, orderUuid, after) {
      await indexOrders(store, account);
      const [found] = await store.outlines(account, [orderUuid]);
      if (found === undefined || found.lines.length === 0) return null;
      const from = after === null ? START : await findCursorLine(lines, account, after);
      if ("kind" in from) return { ok: false, problem: from };
      const range = { after: from.sequence, limit: EVENTS_MAX + 1 };
      const following = await store.linesOfOrder(account, orderUuid, range);
      return {
        ok: true,
        outline: found.lines,
        following: following.slice(0, EVENTS_MAX),
        hasMore: following.length > EVENTS_MAX,
      };
    },
    // Each order comes once, in the order of first lines, and the next page continues after the last of these lines.
    // @rule D9.orderHistory decides
    orders: (account, page) =>
      read(account, page, async (wanted) => {
        const ids = await store.ordersOnPage(account, wanted);
        const found = ids.length === 0 ? [] : await store.outlines(account, ids);
        return found.flatMap((order) =>
          order.lines.slice(0, 1).map((line) => [order, line] as const),
        );
      }),
    // Each fill comes once, in the order of the journal, and the next page continues after the last fill's line.
    // @rule D9.fills decides
    fills: (account, page) =>
      read(account, page, async (wanted) =>
        (await store.fills(account, wanted)).map((line) => [line, line] as const),
      ),
  };
}

const START: LineRef = { sequence: 0, hash: CHAIN_START };
