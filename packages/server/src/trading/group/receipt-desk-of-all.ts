import { type PerDatabase, partOfKey } from "../../storage/databases/per-database.ts";
import type { ReceiptDesk } from "../receipts/receipt-desk.ts";

/** The fates of the orders of all keys: each database writes its own rejections. */
export function receiptDeskOfAll(desks: PerDatabase<ReceiptDesk>): ReceiptDesk {
  return {
    find: (write) => partOfKey(desks, write.keyId).find(write),
    rejected: (write) => partOfKey(desks, write.keyId).rejected(write),
    abandon: (write) => partOfKey(desks, write.keyId).abandon(write),
  };
}
