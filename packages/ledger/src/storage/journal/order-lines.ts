import { forEachYielding, mapYielding } from "@propgate/base";
import type { AccountId, ChainedLine } from "@propgate/core";
import type { Queryable } from "../databases/database.ts";
import { columnNames, type ListColumns, listStatement } from "../stores/row-lists.ts";
import { chainedLine, LINE_COLUMNS, type LineRow } from "./journal-store.ts";
import type { OrderMention } from "./order-mentions.ts";

/** Selects a page of orders by the numbers of their first lines, or of fills by the numbers of their lines. */
export interface OrderPage {
  /** Selects only lines after this number; null selects the newest lines. */
  readonly after: number | null;
  readonly limit: number;
  readonly pair: string | null;
}

/** An order with lines that name it, oldest first. */
export interface OrderLines {
  readonly orderUuid: string;
  readonly lines: readonly ChainedLine[];
}

/** An index of the journal's lines by the orders that they name. */
export interface OrderLineStore {
  /** The first `limit` lines after the last indexed one, oldest first. */
  readUnindexed(account: AccountId, limit: number): Promise<readonly ChainedLine[]>;
  /** Adds the orders that the lines up to number `upTo` name. Several processes may add the same lines. */
  add(account: AccountId, mentions: readonly OrderMention[], upTo: number): Promise<void>;
  /**
   * The orders of a page, in the order of their first lines. Orders that one line opened are on one page, even beyond
   * `limit`.
   */
  ordersOnPage(account: AccountId, page: OrderPage): Promise<readonly string[]>;
  /** The lines of a page's fills, oldest first. */
  fills(account: AccountId, page: OrderPage): Promise<readonly ChainedLine[]>;
  /**
   * The lines that determine the present fields of each order: its last edit or split, its last line of any kind, and
   * every line of a kind that an order has only once. Returns one list for each id, in the order of the ids; empty for
   * an unknown order.
   */
  outlines(account: AccountId, orders: readonly string[]): Promise<readonly OrderLines[]>;
  /** The first `limit` lines of one order after number `after`, oldest first. */
  linesOfOrder(
    account: AccountId,
    orderUuid: string,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly ChainedLine[]>;
  /** Returns which of these orders have a fill in the index. */
  findFilled(account: AccountId, orders: readonly string[]): Promise<ReadonlySet<string>>;
  /** The number of the first line at that time or later; the number after the last line when all are earlier. */
  firstLineSince(account: AccountId, sinceMs: number): Promise<number>;
}

const UNREAD = `
select j.* from accounts a left join order_index i using (account_id) cross join lateral (
  select ${LINE_COLUMNS} from journal
  where account_id = $1 and seq > coalesce(i.seq, 0) and seq <= a.version order by seq limit $2
) j
where a.account_id = $1 order by j.seq`;

const MENTIONS: ListColumns<OrderMention> = [
  ["order_uuid", "text", (one) => one.orderUuid],
  ["seq", "bigint", (one) => one.seq],
  ["at_ms", "bigint", (one) => one.atMs],
  ["pair", "text", (one) => one.pair],
  ["opens", "boolean", (one) => one.opens],
  ["fills", "boolean", (one) => one.fills],
  ["once", "boolean", (one) => one.isOncePerOrder],
  ["forms", "boolean", (one) => one.replacesTerms],
];

/**
 * A fill opens an order only when no earlier line names it, as with a market order, which has no line before its fill.
 */
const ADD = listStatement<{ readonly mentions: OrderMention }>(
  { mentions: MENTIONS },
  ({ mentions }) => `
with moved as (
  insert into order_index (account_id, seq) values ($1::uuid, $2::bigint)
  on conflict (account_id) do update set seq = greatest(order_index.seq, excluded.seq)
)
insert into order_lines (account_id, order_uuid, seq, at_ms, pair, opens, fills, once, forms)
select $1::uuid, m.order_uuid, m.seq, m.at_ms, m.pair, m.opens and not exists (
    select from order_lines k where k.account_id = $1::uuid and k.order_uuid = m.order_uuid
  ), m.fills, m.once, m.forms
from ${mentions} as m (${columnNames(MENTIONS)})
on conflict do nothing`,
  3,
);

/**
 * The statement for a page after a line (`asc`), or for the newest page (`desc`). A page of one pair reads only the
 * lines of that pair, so it has a text of its own.
 */
const pageSql = (
  what: "opens" | "fills",
  order: "asc" | "desc",
  { ofPair }: { readonly ofPair: boolean },
): string => `
select order_uuid, seq from order_lines
where account_id = $1 and ${what} and seq > $2${ofPair ? " and pair = $4" : ""}
order by seq ${order} fetch first ($3::bigint) rows with ties`;

/**
 * The journal line with the number `l.seq`. The limit makes the database find it by its key instead of reading a whole
 * journal for a join.
 */
const JOURNAL_LINE = `(
  select ${LINE_COLUMNS} from journal where account_id = $1 and seq = l.seq limit 1
)`;

const OUTLINES = `
select o.order_uuid, j.* from unnest($2::text[]) as o (order_uuid) cross join lateral (
  select seq from order_lines where account_id = $1 and order_uuid = o.order_uuid and once
  union
  (select seq from order_lines where account_id = $1 and order_uuid = o.order_uuid and forms
    order by seq desc limit 1)
  union
  (select seq from order_lines where account_id = $1 and order_uuid = o.order_uuid
    order by seq desc limit 1)
) l cross join lateral ${JOURNAL_LINE} j
order by l.seq`;

const LIFE = `
select j.* from (
  select seq from order_lines where account_id = $1 and order_uuid = $2 and seq > $3
  order by seq limit $4
) l cross join lateral ${JOURNAL_LINE} j
order by j.seq`;

/** Lines are in the order of their times, so a binary search finds the first one in a few steps. */
const FIRST_SINCE = `
with recursive search (low, high) as (
  select 0::bigint, version + 1 from accounts where account_id = $1
  union all
  select case when j.at_ms < $2 then j.seq else s.low end,
    case when j.at_ms < $2 then s.high else j.seq end
  from search s cross join lateral (
    select seq, at_ms from journal
    where account_id = $1 and seq = (s.low + s.high) / 2 limit 1
  ) j
  where s.high - s.low > 1
)
select min(high) as seq from search`;

const FILLED = `
select distinct order_uuid from order_lines where account_id = $1 and order_uuid = any ($2::text[]) and fills`;

const FILL_LINES = `select ${LINE_COLUMNS} from journal
where account_id = $1 and seq = any ($2::bigint[]) order by seq`;

export function createOrderLineStore(database: Queryable): OrderLineStore {
  const select = async (
    what: "opens" | "fills",
    account: AccountId,
    { after, limit, pair }: OrderPage,
  ): Promise<readonly { readonly order_uuid: string; readonly seq: string }[]> => {
    const isNewest = after === null;
    const rows = await database.query<{ readonly order_uuid: string; readonly seq: string }>(
      pageSql(what, isNewest ? "desc" : "asc", { ofPair: pair !== null }),
      [account, after ?? 0, limit, ...(pair === null ? [] : [pair])],
    );
    return isNewest ? rows.toReversed() : rows;
  };
  return {
    async readUnindexed(account, limit) {
      return mapYielding(await database.query<LineRow>(UNREAD, [account, limit]), chainedLine);
    },
    async add(account, mentions, upTo) {
      await database.query(ADD.text, [account, upTo, ...ADD.parameters({ mentions })]);
    },
    async ordersOnPage(account, wanted) {
      return (await select("opens", account, wanted)).map((row) => row.order_uuid);
    },
    async fills(account, wanted) {
      const found = await select("fills", account, wanted);
      if (found.length === 0) return [];
      const seqs = found.map(({ seq }) => seq);
      return mapYielding(await database.query<LineRow>(FILL_LINES, [account, seqs]), chainedLine);
    },
    async outlines(account, orders) {
      const rows = await database.query<LineRow & { readonly order_uuid: string }>(OUTLINES, [
        account,
        orders,
      ]);
      const byOrder = new Map(orders.map((orderUuid): [string, ChainedLine[]] => [orderUuid, []]));
      await forEachYielding(rows, (row) => {
        byOrder.get(row.order_uuid)?.push(chainedLine(row));
        return true;
      });
      return [...byOrder].map(([orderUuid, lines]) => ({ orderUuid, lines }));
    },
    async linesOfOrder(account, orderUuid, { after, limit }) {
      const rows = await database.query<LineRow>(LIFE, [account, orderUuid, after, limit]);
      return mapYielding(rows, chainedLine);
    },
    async findFilled(account, orders) {
      const rows = await database.query<{ readonly order_uuid: string }>(FILLED, [account, orders]);
      return new Set(rows.map((row) => row.order_uuid));
    },
    async firstLineSince(account, sinceMs) {
      const rows = await database.query<{ readonly seq: string }>(FIRST_SINCE, [account, sinceMs]);
      return Number(rows[0]?.seq);
    },
  };
}
