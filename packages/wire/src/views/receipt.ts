import type { Receipt } from "@propgate/contract";
import type { WriteFate } from "@propgate/ledger";
import { answeredResult } from "./order-answer.ts";
import { storedResult } from "./order-result.ts";

/** @rule D9.receipts D13.withdrawn */
export function receiptView(nonce: string, found: WriteFate | null): Receipt {
  const nothing = {
    nonce,
    result: null,
    status: null,
    error: null,
    refusalCode: null,
    cancelAllAfter: null,
  };
  if (found === null) return { ...nothing, fate: "unseen", receivedAtMs: null };
  const seen = { ...nothing, fate: found.fate, receivedAtMs: found.receivedAtMs };
  switch (found.fate) {
    case "accepted": {
      const { result } = found;
      if (typeof result === "string") return { ...seen, result: storedResult(result) };
      const answered = answeredResult(result);
      return answered.of === "order"
        ? { ...seen, result: answered.result }
        : { ...seen, cancelAllAfter: answered.result };
    }
    case "rejected": {
      const { status, error, refusalCode } = found;
      return { ...seen, status, error, refusalCode };
    }
    case "pending":
    case "withdrawn":
      return seen;
  }
}
