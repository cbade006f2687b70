import type { OrderResult, Receipt } from "@propgate/contract";
import type { WriteFate } from "../../receipts/receipt-store-port.ts";

/** @rule D9.receipts */
export function receiptView(nonce: string, found: WriteFate | null): Receipt {
  const nothing = { nonce, result: null, status: null, error: null };
  if (found === null) return { ...nothing, fate: "unseen", receivedAtMs: null };
  const seen = { ...nothing, fate: found.fate, receivedAtMs: found.receivedAtMs };
  switch (found.fate) {
    case "accepted":
      return { ...seen, result: orderResult(found.result) };
    case "rejected":
      return { ...seen, status: found.status, error: found.error };
    case "pending":
      return seen;
  }
}

/** The executor alone writes it, always from what the order's sender was answered. */
function orderResult(text: string): OrderResult {
  return JSON.parse(text) as OrderResult;
}
