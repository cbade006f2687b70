import type { AnswerSource, ReceiptStore } from "../../storage/rows/receipt-store-port.ts";
import type { Executed, OrderSubmission, Submission } from "../executor-port.ts";
import type { PlacedOrder } from "../network/port.ts";
import { UnknownFate } from "../network/unknown-fate.ts";
import type { StateCache } from "../state-cache.ts";
import { NotCarriedOut } from "./not-carried-out.ts";
import { receiptOf } from "./receipt-key.ts";

/**
 * The result of a command that was carried out before, from its receipt and its journal lines; null when there
 * is no receipt. The answer to an order is the same, byte for byte.
 * @throws NotCarriedOut when the receipt says that the order was rejected
 * @throws UnknownFate when the receipt cannot be read
 */
export type ReplayedAnswer = (submission: Submission | OrderSubmission) => Promise<Executed | null>;

export interface ReplayOptions {
  readonly receipts: Pick<ReceiptStore, "read">;
  readonly cache: Pick<StateCache, "load">;
  /** Renders the answer of an order from its receipt. */
  readonly renderAnswer: (source: AnswerSource) => PlacedOrder;
}

export function createReplayedAnswer(options: ReplayOptions): ReplayedAnswer {
  const { receipts, cache, renderAnswer } = options;
  const replay: ReplayedAnswer = async (submission) => {
    const receipt = receiptOf(submission);
    if (receipt === null) return null;
    const found = await receipts.read(receipt);
    if (found?.fate === "rejected") throw new NotCarriedOut();
    if (found?.fate !== "accepted") return null;
    const { result } = found;
    // Only orders of other networks are stored as a text.
    if (typeof result === "string") return null;
    const [account] = await cache.load([submission.accountId]);
    if (account === undefined) throw new Error("broken invariant: an account with a receipt");
    const order = "receivedAtMs" in submission ? renderAnswer(result) : null;
    return { ok: true, events: result.events, account, order };
  };
  return (submission) =>
    replay(submission).catch((cause: unknown) => {
      throw cause instanceof NotCarriedOut ? cause : new UnknownFate(cause);
    });
}
