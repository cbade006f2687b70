import type { AnswerSource, ReceiptStore } from "../../storage/rows/receipt-store-port.ts";
import { type ExecutedCommand, isTraderSubmission, type Submission } from "../executor-port.ts";
import type { TraderReceipt } from "../network/port.ts";
import { UnknownFate } from "../network/unknown-fate.ts";
import type { StateCache } from "../state-cache.ts";
import { NotCarriedOut } from "./not-carried-out.ts";
import { receiptIdOf } from "./receipt-key.ts";

/**
 * The result of a command that was carried out before, from its receipt and its journal lines. Null when no receipt
 * says that the command was accepted, and for an order of a linked account.
 * @throws NotCarriedOut when the receipt has a rejection
 * @throws UnknownFate when the receipt cannot be read
 */
export type ReplayAnswer = (submission: Submission) => Promise<ExecutedCommand | null>;

export interface ReplayOptions {
  readonly receipts: Pick<ReceiptStore, "read">;
  readonly cache: Pick<StateCache, "load">;
  /** Makes the receipt of a trader's command from the JSON that `remember` stored and the events. */
  readonly recall: (source: AnswerSource) => TraderReceipt;
}

export function createReplayAnswer(options: ReplayOptions): ReplayAnswer {
  const { receipts, cache, recall } = options;
  const replay: ReplayAnswer = async (submission) => {
    const write = receiptIdOf(submission);
    if (write === null) return null;
    const found = await receipts.read(write);
    if (found?.fate === "rejected") throw new NotCarriedOut();
    if (found?.fate !== "accepted") return null;
    const { result } = found;
    // Only orders of linked accounts are stored as a text.
    if (typeof result === "string") return null;
    const [account] = await cache.load([submission.accountId]);
    if (account === undefined) throw new Error("broken invariant: an account with a receipt");
    const receipt = isTraderSubmission(submission) ? recall(result) : null;
    return { ok: true, events: result.events, account, receipt };
  };
  return (submission) =>
    replay(submission).catch((cause: unknown) => {
      throw cause instanceof NotCarriedOut ? cause : new UnknownFate(cause);
    });
}
