import type { AccountId, ChainedLine } from "@propgate/core";
import type { Queryable } from "../databases/database.ts";
import { columnNames, type ListColumns, listStatement } from "../stores/row-lists.ts";
import { chainedLine, LINE_COLUMNS, type LineRow } from "./journal-store.ts";
import type { OrderMention } from "./order-mentions.ts";

/** Selects orders by their first line, or fills by theirs. */
export interface OrderPage {
  /** Only lines after this number; null for the newest ones. */
  readonly after: number | null;
  readonly limit: number;
  readonly pair: string | null;
  readonly sinceMs: number | null;
}

/**
 * An order with the lines that say what it is now, oldest first: the steps of its life, its newest edit and its last
 * line. They are few, however often the order was edited.
 */
export interface OrderLines {
  readonly orderUuid: string;
  readonly lines: readonly ChainedLine[];
}

/** The lines of the journal that name an order, found by account and order. */
export interface OrderLineStore {
  /** The lines after the last one that the index has, oldest first. */
  unread(account: AccountId, limit: number): Promise<readonly ChainedLine[]>;
  /** Adds the orders that the lines up to `upTo` name. Several processes may do the same. */
  add(account: AccountId, mentions: readonly OrderMention[], upTo: number): Promise<void>;
  /** The orders of a page, by their first line. Orders that one line opened are never divided. */
  opened(account: AccountId, page: OrderPage): Promise<readonly string[]>;
  /** The lines of the fills of a page, oldest first. */
  fills(account: AccountId, page: OrderPage): Promise<readonly ChainedLine[]>;
  /** The lives of these orders, in the same order; unknown orders have no lines. */
  lives(account: AccountId, orders: readonly string[]): Promise<readonly OrderLines[]>;
  /** The lines that name the order, oldest first. */
  lines(
    account: AccountId,
    orderUuid: string,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly ChainedLine[]>;
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
  ["steps", "boolean", (one) => one.steps],
  ["edits", "boolean", (one) => one.edits],
];

/** A market order has no line before its fill; a fill of an order that is known opens nothing. */
const ADD = listStatement<{ readonly mentions: OrderMention }>(
  { mentions: MENTIONS },
  ({ mentions }) => `
with moved as (
  insert into order_index (account_id, seq) values ($1::uuid, $2::bigint)
  on conflict (account_id) do update set seq = greatest(order_index.seq, excluded.seq)
)
insert into order_lines (account_id, order_uuid, seq, at_ms, pair, opens, fills, steps, edits)
select $1::uuid, m.order_uuid, m.seq, m.at_ms, m.pair, m.opens and not exists (
    select from order_lines k where k.account_id = $1::uuid and k.order_uuid = m.order_uuid
  ), m.fills, m.steps, m.edits
from ${mentions} as m (${columnNames(MENTIONS)})
on conflict do nothing`,
  3,
);

/** Pages forward after a line, or the newest page. */
const page = (what: "opens" | "fills", order: "asc" | "desc"): string => `
select order_uuid, seq from order_lines
where account_id = $1 and ${what} and seq > $2
  and ($3::text is null or pair = $3) and ($4::bigint is null or at_ms >= $4)
order by seq ${order} fetch first ($5::bigint) rows with ties`;

/** Each part is found by a key of its own, so that the edits between are not read. */
const LIVES = `
select o.order_uuid, j.* from unnest($2::text[]) as o (order_uuid) cross join lateral (
  select seq from order_lines where account_id = $1 and order_uuid = o.order_uuid and steps
  union (select seq from order_lines where account_id = $1 and order_uuid = o.order_uuid and edits
    order by seq desc limit 1)
  union (select seq from order_lines where account_id = $1 and order_uuid = o.order_uuid
    order by seq desc limit 1)
) l cross join lateral (
  select ${LINE_COLUMNS} from journal where account_id = $1 and seq = l.seq
) j
order by j.seq`;

const LINES = `
select j.* from (
  select seq from order_lines where account_id = $1 and order_uuid = $2 and seq > $3
  order by seq limit $4
) l cross join lateral (
  select ${LINE_COLUMNS} from journal where account_id = $1 and seq = l.seq
) j
order by j.seq`;

const FILL_LINES = `select ${LINE_COLUMNS} from journal
where account_id = $1 and seq = any ($2::bigint[]) order by seq`;

export function createOrderLineStore(database: Queryable): OrderLineStore {
  const select = async (
    what: "opens" | "fills",
    account: AccountId,
    { after, limit, pair, sinceMs }: OrderPage,
  ): Promise<readonly { readonly order_uuid: string; readonly seq: string }[]> => {
    const isNewest = after === null;
    const rows = await database.query<{ readonly order_uuid: string; readonly seq: string }>(
      page(what, isNewest ? "desc" : "asc"),
      [account, after ?? 0, pair, sinceMs, limit],
    );
    return isNewest ? rows.toReversed() : rows;
  };
  return {
    async unread(account, limit) {
      return (await database.query<LineRow>(UNREAD, [account, limit])).map(chainedLine);
    },
    async add(account, mentions, upTo) {
      await database.query(ADD.text, [account, upTo, ...ADD.parameters({ mentions })]);
    },
    async opened(account, wanted) {
      return (await select("opens", account, wanted)).map((row) => row.order_uuid);
    },
    async fills(account, wanted) {
      const found = await select("fills", account, wanted);
      if (found.length === 0) return [];
      const seqs = found.map(({ seq }) => seq);
      return (await database.query<LineRow>(FILL_LINES, [account, seqs])).map(chainedLine);
    },
    async lives(account, orders) {
      const rows = await database.query<LineRow & { readonly order_uuid: string }>(LIVES, [
        account,
        orders,
      ]);
      const byOrder = new Map(orders.map((orderUuid): [string, ChainedLine[]] => [orderUuid, []]));
      for (const row of rows) byOrder.get(row.order_uuid)?.push(chainedLine(row));
      return [...byOrder].map(([orderUuid, lines]) => ({ orderUuid, lines }));
    },
    async lines(account, orderUuid, { after, limit }) {
      const rows = await database.query<LineRow>(LINES, [account, orderUuid, after, limit]);
      return rows.map(chainedLine);
    },
  };
}
