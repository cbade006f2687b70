import { isWrite, type SignedEndpointName } from "@propgate/contract";
import type { Budget } from "../../storage/admission-port.ts";

/** The budget that a request uses; null for an order. @rule S8.read @rule S8.orders D10.receiptBudget decides */
export function budgetOf(endpoint: SignedEndpointName): Budget | null {
  if (isWrite(endpoint)) return null;
  return endpoint === "getReceipt" ? "receipts" : "reads";
}
