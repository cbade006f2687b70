import type { Queryable } from "../../storage/databases/database.ts";
import { isUniqueViolation } from "../../storage/databases/database-error.ts";
import {
  type ExistingReceipt,
  findExistingReceipts,
  type ReceiptRow,
} from "../../storage/stores/account-rows.ts";

/** Some commands of the batch already have a receipt, so the batch was rolled back. */
export class ReceiptsExist extends Error {
  override readonly name = "ReceiptsExist";
  readonly receipts: readonly ExistingReceipt[];

  constructor(receipts: readonly ExistingReceipt[]) {
    super("some commands of the batch already have a receipt");
    this.receipts = receipts;
  }
}

/**
 * Waits for the statement that writes these receipts. A receipt that already exists makes its insert fail, and so rolls
 * back the whole batch. One read then finds which receipts exist.
 * @throws ReceiptsExist when there are any
 */
export async function detectExistingReceipts<Value>(
  database: Queryable,
  receipts: readonly ReceiptRow[],
  write: Promise<Value>,
): Promise<Value> {
  try {
    return await write;
  } catch (cause) {
    if (receipts.length === 0 || !isUniqueViolation(cause)) throw cause;
    const existing = await findExistingReceipts(database, receipts);
    throw existing.length === 0 ? cause : new ReceiptsExist(existing);
  }
}
