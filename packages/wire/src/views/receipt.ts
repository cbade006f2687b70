import type { Receipt } from "@propgate/contract";
import type { WriteFate } from "@propgate/ledger";
import { answeredResult } from "./order-answer.ts";
import { restoredResult } from "./order-result.ts";

/**
 * The receipt of a nonce in the API's form. `found` is null when the service has not seen the nonce.
 * @rule D9.receipts D13.withdrawn D13.lastWord
 */
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
      if (typeof result === "string") return { ...seen, result: restoredResult(result) };
      const answered = answeredResult(result);
      return answered.of === "order"
        ? { ...seen, result: answered.result }
        : { ...seen, cancelAllAfter: answered.result };
    }
    case "rejected": {
      const { status, error, refusalCode } = found;
      return { ...seen, status, error, refusalCode };
    }
    case "pending": {
      const { sentAtMs } = found;
      return sentAtMs === null ? seen : { ...seen, error: unansweredText(sentAtMs) };
    }
    case "withdrawn":
      return seen;
  }
}

/** The text of a receipt while the validator has not answered an order that was sent to it. @rule D13.lastWord */
function unansweredText(sentAtMs: number): string {
  const since = new Date(sentAtMs).toISOString();
  return `The trading network has not said since ${since} what became of the order; it may have been carried out, and still may be. Look at positions and orders before you send it again under another nonce`;
}
