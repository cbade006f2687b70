import type { AccountId } from "@propgate/core";
import type { AnswerSource, ReceiptStore } from "../../storage/rows/receipt-store-port.ts";
import type { Executed, OrderSubmission, Submission } from "../executor-port.ts";
import type { PlacedOrder } from "../network/port.ts";
import { NotCarriedOut } from "../receipts/not-carried-out.ts";
import { receiptOf } from "../receipts/receipt-key.ts";
import type { StateCache } from "../state-cache.ts";

/**
 * The result of a command that an earlier passing carried out, from its receipt and its journal lines; null when there
 * is no receipt. The answer to an order is the same, byte for byte.
 * @throws NotCarriedOut when the receipt says that the order was rejected
 */
export type AnsweredBefore = (submission: Submission | OrderSubmission) => Promise<Executed | null>;

export function createAnsweredBefore(options: {
  /** The receipts on the database of the account. */
  readonly receipts: (account: AccountId) => Pick<ReceiptStore, "read">;
  readonly cache: Pick<StateCache, "load">;
  /** Renders the answer of an order from its receipt. */
  readonly renderAnswer: (source: AnswerSource) => PlacedOrder;
}): AnsweredBefore {
  const { receipts, cache, renderAnswer } = options;
  return async (submission) => {
    const { accountId } = submission;
    const receipt = receiptOf(submission);
    if (receipt === null) return null;
    const found = await receipts(accountId).read(receipt);
    if (found?.fate === "rejected") throw new NotCarriedOut();
    if (found?.fate !== "accepted") return null;
    const { result } = found;
    // Only orders of other networks are stored as a text.
    if (typeof result === "string") return null;
    const [account] = await cache.load([accountId]);
    if (account === undefined) throw new Error("broken invariant: an account with a receipt");
    const order = "receivedAtMs" in submission ? renderAnswer(result) : null;
    return { ok: true, events: result.events, account, order };
  };
}
