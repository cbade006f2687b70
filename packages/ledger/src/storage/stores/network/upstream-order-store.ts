import { accountId, orderUuid, pairId, unixMs } from "@propgate/core";
import type { Database } from "../../databases/database.ts";
import type {
  OrderEnd,
  OrderRequestId,
  UpstreamOrder,
  UpstreamOrderStore,
} from "../../rows/upstream-order.ts";
import { lockNonces } from "../receipt-store.ts";
import { nextBehindSinceSql } from "./behind-since.ts";
import { DATABASE_NOW_MS, toStorableText } from "./storable-text.ts";

/** The statement runs under the lock of the nonce, so that it sees a receipt that another session has just closed. */
const BEGIN = `
with closed as materialized (
  select 1 from receipts where key_id = $3 and nonce = $4
), begun as (
  insert into upstream_orders (order_uuid, account_id, key_id, nonce, command, created_at_ms,
    sent_until_ms, lease_holder, lease_until_ms, execution_type, trade_pair)
  select $1, $2::uuid, $3, $4, $5, $6, $7, $8, ${DATABASE_NOW_MS} + $9::bigint, $10, $11
  where not exists (select from closed)
  on conflict (order_uuid) do nothing
  returning account_id
), behind as (
  update linked_accounts l set behind_since_ms = ${nextBehindSinceSql("$6")}
  from begun b where l.account_id = b.account_id
)
select exists (select from begun) as begun, exists (select from closed) as closed,
  exists (select from upstream_orders where order_uuid = $1) as known`;

/**
 * Locks the account's rows first, in the same order as every other statement. A second end of the same order waits
 * there, and then finds that the order is not `sending`.
 */
const END = `
with held as materialized (
  select account_id from linked_accounts l join accounts a using (account_id)
  where l.account_id = $2 for no key update
), ended as (
  update upstream_orders o set state = $3, ended_at_ms = $4, lease_holder = null, lease_until_ms = null
  from held h where o.order_uuid = $1 and o.account_id = h.account_id and o.state = 'sending'
  returning o.account_id, o.key_id, o.nonce
), receipt as (
  insert into receipts (key_id, nonce, decided_at_ms, status, result, error, refusal_code, received_at_ms)
  select e.key_id, e.nonce, $4, $5::smallint, $6, $7, $8,
    (select n.used_at_ms from nonces n where n.key_id = e.key_id and n.nonce = e.nonce)
  from ended e where e.key_id is not null
  on conflict do nothing
), behind as (
  update linked_accounts l set revision = l.revision + 1, behind_since_ms = ${nextBehindSinceSql("$4")}
  from ended e where l.account_id = e.account_id
)
select 1 from ended`;

const COLUMNS = `order_uuid, account_id, key_id, nonce, execution_type, trade_pair, command, created_at_ms,
  state, sent_until_ms, attempts`;

/**
 * Rows that another process has locked are skipped, so that two processes share the orders. A separate `select` reads
 * the clock once: PostgreSQL uses the index only when the compared value is constant for the whole statement.
 */
const TAKE_OVER = `
with free as materialized (
  select order_uuid from upstream_orders
  where state = 'sending' and lease_until_ms <= (select ${DATABASE_NOW_MS})
  order by lease_until_ms, created_at_ms limit $3 for no key update skip locked
), taken as (
  update upstream_orders o set lease_holder = $1, lease_until_ms = ${DATABASE_NOW_MS} + $2::bigint,
    attempts = o.attempts + 1
  from free f where o.order_uuid = f.order_uuid returning o.*
)
select ${COLUMNS} from taken order by created_at_ms, order_uuid`;

const KEEP = `
update upstream_orders set lease_until_ms = ${DATABASE_NOW_MS} + $3::bigint
where order_uuid = any ($1::text[]) and lease_holder = $2 and state = 'sending' returning order_uuid`;

const SENDING = `
select count(*)::int as count, min(created_at_ms) as oldest from upstream_orders
where state = 'sending'`;

interface BeginRow {
  readonly begun: boolean;
  readonly closed: boolean;
  readonly known: boolean;
}

interface OrderRow {
  readonly order_uuid: string;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly nonce: string | null;
  readonly execution_type: UpstreamOrder["executionType"];
  readonly trade_pair: string | null;
  readonly command: string;
  readonly created_at_ms: string;
  readonly state: UpstreamOrder["state"];
  readonly sent_until_ms: string | null;
  readonly attempts: number;
}

export function createUpstreamOrderStore(database: Database): UpstreamOrderStore {
  return {
    begin(order, { holder, forMs, sentUntilMs }) {
      const { request } = order;
      const given = [
        order.orderUuid,
        order.accountId,
        request?.keyId ?? null,
        request?.nonce ?? null,
        toStorableText(order.command),
        order.createdAtMs,
        sentUntilMs,
        holder,
        forMs,
        order.executionType,
        order.tradePair,
      ];
      return database.transaction(async (transaction) => {
        if (request !== null) await lockNonces(transaction, [request]);
        const [row] = await transaction.query<BeginRow>(BEGIN, given);
        return beginOutcome(row);
      });
    },
    async end(end) {
      const rows = await database.query(END, [
        end.orderUuid,
        end.accountId,
        end.state,
        end.endedAtMs,
        ...receiptColumns(end.receipt),
      ]);
      return rows.length === 1;
    },
    async takeOver(holder, forMs, limit) {
      const rows = await database.query<OrderRow>(TAKE_OVER, [holder, forMs, limit]);
      return rows.map(upstreamOrder);
    },
    async extendLeases(orders, holder, forMs) {
      const rows = await database.query<Pick<OrderRow, "order_uuid">>(KEEP, [
        orders,
        holder,
        forMs,
      ]);
      return new Set(rows.map((row) => orderUuid(row.order_uuid)));
    },
    async countSending() {
      const [row] = await database.query<{ count: number; oldest: string | null }>(SENDING, []);
      const oldest = row?.oldest ?? null;
      return {
        count: row?.count ?? 0,
        oldestCreatedAtMs: oldest === null ? null : unixMs(Number(oldest)),
      };
    },
  };
}

function beginOutcome(row: BeginRow | undefined): "begun" | "known" | "notCarriedOut" {
  if (row?.begun === true) return "begun";
  return row?.closed === true && !row.known ? "notCarriedOut" : "known";
}

/** The columns status, result, error and refusal code of a receipt. */
function receiptColumns(receipt: OrderEnd["receipt"]): readonly (string | number | null)[] {
  return receipt.ok
    ? [200, toStorableText(receipt.result), null, null]
    : [receipt.status, null, toStorableText(receipt.error), receipt.refusalCode];
}

function upstreamOrder(row: OrderRow): UpstreamOrder {
  return {
    orderUuid: orderUuid(row.order_uuid),
    accountId: accountId(row.account_id),
    request: requestOf(row),
    executionType: row.execution_type,
    tradePair: row.trade_pair === null ? null : pairId(row.trade_pair),
    command: row.command,
    createdAtMs: unixMs(Number(row.created_at_ms)),
    state: row.state,
    sentUntilMs: row.sent_until_ms === null ? null : unixMs(Number(row.sent_until_ms)),
    attempts: row.attempts,
  };
}

function requestOf({ key_id, nonce }: OrderRow): OrderRequestId | null {
  return key_id === null || nonce === null ? null : { keyId: key_id, nonce };
}
