import type { AccountId } from "@propgate/core";
import type { DatabaseGroup } from "../databases/database-group.ts";
import { eachPart, partOf } from "../databases/per-database.ts";
import type { ReceiptStore } from "../rows/receipt-store-port.ts";
import { createReceiptStore } from "../stores/receipt-store.ts";

/** The receipts of an account's commands, which are on its database. */
export function receiptsOfAll({
  all,
}: DatabaseGroup): (account: AccountId) => Pick<ReceiptStore, "read"> {
  const stores = eachPart(all, createReceiptStore);
  return (account) => partOf(stores, account);
}
