import type { Queryable } from "../../databases/database.ts";
import { indexOrders } from "../../journal/index-orders.ts";
import { createOrderLineStore } from "../../journal/order-lines.ts";
import type {
  KnownHistory,
  OwnOrder,
  ReadingLines,
  ReadingWrite,
} from "../../rows/linked-account.ts";
import { toStorableText } from "./storable-text.ts";

const STORED_RECORDS = `
select r.kind, r.id from unnest($2::text[], $3::text[]) as n (kind, id)
join linked_records r on r.account_id = $1 and r.kind = n.kind and r.id = n.id`;

const OWN = `
select order_uuid, key_id, nonce, command, state from upstream_orders
where account_id = $1 and (state = 'sending' or order_uuid = any ($2::text[]))
order by created_at_ms, order_uuid`;

interface OwnRow {
  readonly order_uuid: string;
  readonly key_id: string | null;
  readonly nonce: string | null;
  readonly command: string;
  readonly state: string;
}

/**
 * Reads the stored records, fills and orders that a reading mentions, in the transaction that has locked the account.
 */
export async function readKnownHistory(
  transaction: Queryable,
  { accountId, records }: Pick<ReadingWrite, "accountId" | "records">,
  { lines, isHeld }: { readonly lines: ReadingLines; readonly isHeld: boolean },
): Promise<KnownHistory> {
  const ids = records.map(({ id }) => toStorableText(id));
  const stored =
    records.length === 0
      ? []
      : await transaction.query<{ readonly kind: string; readonly id: string }>(STORED_RECORDS, [
          accountId,
          records.map(({ kind }) => kind),
          ids,
        ]);
  const known = new Set(stored.map(({ kind, id }) => `${kind}\n${id}`));
  const isNew: KnownHistory["isNew"] = ({ kind, id }) =>
    !known.has(`${kind}\n${toStorableText(id)}`);
  const orders = lines.orderIds(isNew);
  const own = await transaction.query<OwnRow>(OWN, [accountId, orders]);
  return {
    isHeld,
    isNew,
    filled: await findFilledOrders(transaction, accountId, orders),
    own: own.map(ownOrder),
  };
}

/**
 * The orders whose fill has a line. The account's lines are first indexed up to the last one, so that no fill gets a
 * second line.
 */
async function findFilledOrders(
  transaction: Queryable,
  accountId: ReadingWrite["accountId"],
  orders: readonly string[],
): Promise<ReadonlySet<string>> {
  if (orders.length === 0) return new Set();
  const index = createOrderLineStore(transaction);
  await indexOrders(index, accountId);
  return index.findFilled(accountId, orders);
}

function ownOrder({ order_uuid: orderUuid, key_id, nonce, command, state }: OwnRow): OwnOrder {
  return {
    orderUuid,
    request: key_id === null || nonce === null ? null : { keyId: key_id, nonce },
    command,
    isSending: state === "sending",
  };
}
