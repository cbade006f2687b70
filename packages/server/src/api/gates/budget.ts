import { isWrite, type SignedEndpointName } from "@propgate/contract";
import type { Budget } from "../../storage/admission-port.ts";

/**
 * The budget that a request uses: receipts have one, all other reads another. Null for an order and any other write,
 * which use none. @rule S8.read @rule S8.orders D10.receiptBudget decides
 */
export function budgetOf(endpoint: SignedEndpointName): Budget | null {
  if (isWrite(endpoint)) return null;
  return endpoint === "getReceipt" ? "receipts" : "reads";
}
