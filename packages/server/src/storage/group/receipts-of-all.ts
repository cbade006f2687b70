import type { DatabaseGroup } from "../databases/database-group.ts";
import { eachPart, partOfKey } from "../databases/per-database.ts";
import type { ReceiptStore } from "../rows/receipt-store-port.ts";
import { createReceiptStore } from "../stores/receipt-store.ts";

/** Reads the receipts of all databases; a receipt is on the database of its key. */
export function receiptsOfAll({ all }: DatabaseGroup): Pick<ReceiptStore, "read"> {
  const stores = eachPart(all, createReceiptStore);
  if (stores.length === 1) return stores[0];
  return { read: (write) => partOfKey(stores, write.keyId).read(write) };
}
