import type { Receipt } from "@propgate/contract";
import type { WriteFate } from "../../receipts/receipt-store-port.ts";
import { resultAgain } from "./order-result.ts";

/** @rule D9.receipts */
export function receiptView(nonce: string, found: WriteFate | null): Receipt {
  const nothing = { nonce, result: null, status: null, error: null };
  if (found === null) return { ...nothing, fate: "unseen", receivedAtMs: null };
  const seen = { ...nothing, fate: found.fate, receivedAtMs: found.receivedAtMs };
  switch (found.fate) {
    case "accepted":
      return { ...seen, result: resultAgain(found.result) };
    case "rejected":
      return { ...seen, status: found.status, error: found.error };
    case "pending":
      return seen;
  }
}
