import { ENDPOINTS, isRecord, type Receipt, receiptPath } from "@propgate/contract";
import {
  AbortedError,
  PropgateError,
  RejectedError,
  type Rejection,
  UnexpectedAnswerError,
} from "../errors.ts";
import { dateHeaderMs } from "../read.ts";
import { pause } from "../retry.ts";
import type { FatePort } from "./fate-port.ts";
import { isListed, readListings } from "./listed-order.ts";
import type { OrderEvidence, OrderOutcome } from "./order-outcome.ts";
import { type OrderProgress, reportProgress } from "./order-progress.ts";
import type { OrderRequest } from "./order-request.ts";
import type { SettlementContext } from "./placement-context.ts";
import { rejectionOfReceipt } from "./receipt-rejection.ts";

/** An order that was sent and got no clear answer, and how to find out its fate. */
export interface LostOrder extends SettlementContext {
  readonly service: FatePort;
  readonly nonce: string;
  /** The order as it was sent. Null when only the nonce is known, and then the listings cannot identify the order. */
  readonly sent: UnansweredOrder | null;
  /**
   * False when the caller may send the order again with the same nonce. Then an order that has not arrived stays
   * unknown instead of being withdrawn.
   */
  readonly mayWithdraw: boolean;
}

/** An order that was sent without a clear answer. */
export interface UnansweredOrder {
  readonly order: OrderRequest;
  /** When it was sent, by this machine's own clock. */
  readonly atMs: number;
  /** The error that came instead of a clear answer. */
  readonly cause: PropgateError;
}

/**
 * Finds out whether an order was carried out, and never sends it again. It reads the receipt of the order's nonce. An
 * `unseen` order may still arrive, so it is withdrawn by a read that is signed with the order's nonce. If this read
 * answers that the nonce is used, the order is rejected with 409 when it arrives. If the read is rejected with 409,
 * the nonce was used before. Then the receipt has the outcome of the order, or is `withdrawn` after an earlier
 * withdrawal. @rule S5.R2 S4.2.notIdempotent D13.withdrawn
 */
export async function settleOrder(lost: LostOrder): Promise<OrderOutcome> {
  const inquiry = new FateInquiry(lost);
  const { signal } = lost.deadline;
  for (let attempts = 0; attempts < lost.plan.attempts && !signal.aborted; attempts += 1) {
    if (attempts > 0 && !(await inquiry.wait(attempts))) break;
    const outcome = await inquiry.ask();
    if (outcome !== null) return outcome;
  }
  return inquiry.unknown();
}

/** The precision of the `Date` header, which has whole seconds. */
const DATE_PRECISION_MS = 1000;

/** The state of one settlement. */
class FateInquiry {
  readonly #lost: LostOrder;
  readonly #evidence: OrderEvidence[] = [];
  /**
   * True when it is known that the nonce is used. The service then rejects an order that arrives with this nonce later.
   */
  #isNonceUsed = false;
  /** When the order was sent, by the service's clock as far as that is known. */
  #sinceMs: number;
  #retryAfterMs = 0;
  readonly #givenMs: number;
  #waitedMs = 0;
  #reason = "no clear answer came";

  constructor(lost: LostOrder) {
    this.#lost = lost;
    this.#givenMs = lost.deadline.leftMs();
    const { clock } = lost.service;
    this.#sinceMs = clock.now() - this.#sentAgoMs();
    if (lost.sent !== null) this.#reason = this.#note(lost.sent.cause).message;
  }

  #sentAgoMs(): number {
    const { service, sent } = this.#lost;
    return sent === null ? 0 : service.clock.own() - sent.atMs;
  }

  /** Waits before the next attempt. False when the deadline comes first. */
  async wait(attempts: number): Promise<boolean> {
    const { plan, deadline } = this.#lost;
    const waitMs = this.#waitMs(attempts);
    if (waitMs >= this.#leftMs()) return false;
    this.#report("waiting", waitMs);
    this.#waitedMs += waitMs;
    try {
      await pause(plan, waitMs, deadline.signal);
      return true;
    } catch (error) {
      this.#notAnswered(error);
      return false;
    }
  }

  /**
   * The milliseconds to wait: a time that doubles with each attempt up to `longestWaitMs`, or the service's
   * `Retry-After` when that is longer. A wait that would last until the deadline is limited to `longestWaitMs`.
   */
  #waitMs(attempts: number): number {
    const { firstWaitMs, longestWaitMs } = this.#lost.plan;
    const ownMs = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempts - 1));
    const wantedMs = Math.max(ownMs, this.#retryAfterMs);
    return wantedMs < this.#leftMs() ? wantedMs : Math.min(longestWaitMs, wantedMs);
  }

  /**
   * The milliseconds until the deadline. Planned waits are subtracted too, because the `wait` of a test may return
   * immediately.
   */
  #leftMs(): number {
    return Math.min(this.#lost.deadline.leftMs(), this.#givenMs - this.#waitedMs);
  }

  #report(step: OrderProgress["step"], waitMs: number): void {
    const { nonce, onProgress } = this.#lost;
    const leftMs = this.#leftMs();
    reportProgress(onProgress, { step, nonce, reason: this.#reason, waitMs, leftMs });
  }

  /** Tries to find out the fate once. Null when the fate is still unknown. */
  async ask(): Promise<OrderOutcome | null> {
    const { service, nonce } = this.#lost;
    const target = receiptPath(nonce);
    this.#retryAfterMs = 0;
    this.#report("asking", 0);
    try {
      return await this.#judge(receiptOf(await service.read(target, null), nonce));
    } catch (error) {
      return hasNoReceipts(error) ? this.#checkListings() : this.#notAnswered(error);
    }
  }

  async #judge(receipt: Receipt): Promise<OrderOutcome | null> {
    this.#evidence.push({ kind: "receipt", receipt });
    if (isUsedOtherwise(receipt)) return this.#rejected(null);
    if (receipt.fate === "accepted") return this.#accepted(receipt.result);
    if (receipt.fate === "rejected") return this.#rejected(rejectionOfReceipt(receipt));
    this.#reason = `the receipt says ${receipt.fate}${receipt.error == null ? "" : `: ${receipt.error}`}`;
    if (receipt.fate !== "unseen" || !this.#lost.mayWithdraw) return null;
    // The withdrawal reads a receipt, because receipts do not use the read budget.
    const { nonce } = this.#lost;
    const isProof = (data: unknown): boolean => receiptOf(data, nonce).fate === "withdrawn";
    const isDone = this.#isNonceUsed || (await this.#withdraw(receiptPath(nonce), isProof));
    if (isDone) return this.#rejected(null);
    return this.#isNonceUsed ? this.ask() : null;
  }

  /**
   * Signs a read with the order's nonce. True when it succeeded, so that the order can never be accepted. An answer
   * that is no proof may be an earlier one that a proxy repeats, and then the service has not seen the nonce.
   */
  async #withdraw(target: string, isProof: (data: unknown) => boolean): Promise<boolean> {
    const { service, nonce } = this.#lost;
    try {
      if (!isProof(await service.read<unknown>(target, nonce))) {
        this.#reason = "the answer to the withdrawal does not say that the nonce is used";
        return false;
      }
      this.#isNonceUsed = true;
      this.#evidence.push({ kind: "nonceWithdrawn" });
      return true;
    } catch (error) {
      if (error instanceof RejectedError && error.code === "nonceUsed") {
        this.#isNonceUsed = true;
        this.#evidence.push({ kind: "nonceUsed" });
        this.#learnSentTime(error.rejection);
      } else {
        this.#notAnswered(error);
      }
      return false;
    }
  }

  /** Looks for the order in the account's listings, for a service without receipts. */
  async #checkListings(): Promise<OrderOutcome | null> {
    const { service, sent, mayWithdraw } = this.#lost;
    try {
      if (!this.#isNonceUsed) {
        this.#evidence.push({ kind: "noReceipts" });
        this.#reason = "the service keeps no receipts";
        if (!mayWithdraw) return null;
        const isDone = await this.#withdraw(ENDPOINTS.getPositions.path, Array.isArray);
        if (isDone) return this.#rejected(null);
        if (!this.#isNonceUsed) return null;
      }
      const listings = await readListings(service);
      const before = this.#evidence.findIndex(({ kind }) => kind === "listings");
      if (before !== -1) this.#evidence.splice(before, 1);
      this.#evidence.push({ kind: "listings", ...listings });
      this.#reason = "the service keeps no receipts, and the listings do not identify this order";
      const isFound = sent !== null && isListed(listings, sent.order, this.#sinceMs);
      return isFound ? this.#accepted(null) : null;
    } catch (error) {
      return this.#notAnswered(error);
    }
  }

  #learnSentTime({ headers }: Rejection): void {
    const serviceNowMs = dateHeaderMs(headers.date);
    if (serviceNowMs === null) return;
    this.#sinceMs = serviceNowMs - this.#sentAgoMs() - DATE_PRECISION_MS;
  }

  #notAnswered(error: unknown): OrderOutcome | null {
    // When the deadline ends an attempt, the reason of the previous error is kept, because it explains more. An abort
    // by the caller becomes the reason itself.
    if (error instanceof AbortedError && error.isDeadline) return this.unknown();
    const { message } = this.#note(error);
    this.#reason = message;
    if (!(error instanceof RejectedError)) return null;
    this.#retryAfterMs = error.rejection.retryAfterMs ?? 0;
    // After a permanent rejection, such as that of a revoked key, another attempt is useless. A 409 for the nonce of
    // this read is temporary: the nonce was random, so a proxy has sent the read twice.
    const passes = error.status >= 500 || error.isTemporary || error.code === "nonceUsed";
    return passes ? null : this.unknown();
  }

  #note(error: unknown): PropgateError {
    if (!(error instanceof PropgateError)) throw error;
    this.#evidence.push(
      error instanceof RejectedError
        ? { kind: "answer", rejection: error.rejection }
        : { kind: "noAnswer", what: error.message },
    );
    return error;
  }

  #accepted(result: Receipt["result"]): OrderOutcome {
    return { fate: "accepted", nonce: this.#lost.nonce, result, evidence: this.#evidence };
  }

  #rejected(rejection: Rejection | null): OrderOutcome {
    return {
      fate: "rejected",
      nonce: this.#lost.nonce,
      reason: rejection === null ? WITHDRAWN : `${rejection.status} ${rejection.error}`,
      refusalCode: rejection?.refusalCode ?? null,
      rejection,
      evidence: this.#evidence,
    };
  }

  unknown(): OrderOutcome {
    const reason = this.#reason;
    return { fate: "unknown", nonce: this.#lost.nonce, reason, evidence: this.#evidence };
  }
}

const WITHDRAWN = "withdrawn";

/**
 * The receipt in an answer. A person may place an order again because of a receipt, so only a readable receipt
 * of this nonce counts as an answer.
 */
function receiptOf(data: unknown, nonce: string): Receipt {
  const isReceipt = isRecord(data) && typeof data.fate === "string" && data.nonce === nonce;
  if (!isReceipt) throw new UnexpectedAnswerError(200);
  return { ...data, result: isRecord(data.result) ? data.result : null } as unknown as Receipt;
}

/**
 * True when another request has used the nonce: a withdrawal, or a `cancel-all-after`, whose result the receipt then
 * has.
 */
function isUsedOtherwise({ fate, cancelAllAfter }: Receipt): boolean {
  return fate === "withdrawn" || (fate === "accepted" && cancelAllAfter != null);
}

function hasNoReceipts(error: unknown): boolean {
  if (error instanceof UnexpectedAnswerError) return error.status === 404;
  return error instanceof RejectedError && error.status === 404 && error.code !== "accountNotFound";
}
