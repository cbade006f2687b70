import { ENDPOINTS, type Receipt, receiptPath } from "@propgate/contract";
import { PropgateError, RejectedError, type Rejection, UnexpectedAnswerError } from "../errors.ts";
import { moment, sendRead } from "../read.ts";
import type { RetryPlan } from "../retry.ts";
import { type Connection, send } from "../send.ts";
import { readListings, standsIn } from "./listed-order.ts";
import type { OrderEvidence, OrderOutcome } from "./order-outcome.ts";
import type { OrderRequest } from "./order-request.ts";
import { rejectionOfReceipt } from "./receipt-rejection.ts";

/** An order that was sent and of which no clear answer came. */
export interface LostOrder {
  readonly connection: Connection;
  readonly plan: RetryPlan;
  readonly nonce: string;
  /** Null where only the nonce was kept: then nothing that is listed can be told to be the order. */
  readonly sent: SentOrder | null;
}

export interface SentOrder {
  readonly order: OrderRequest;
  /** By this machine's own clock. */
  readonly atMs: number;
  /** What came instead of a clear answer. */
  readonly cause: PropgateError;
}

/**
 * Finds out what became of an order, without ever sending it again. The receipt says it. Where no
 * write has arrived under the nonce, one may still be on its way: then a read is signed with that
 * nonce. If it passes, the nonce is used, and the order, should it come, is refused with 409; if it
 * is refused, the nonce had been used, and the next receipt says by what. @rule S5.R2 S4.2.notIdempotent
 */
export async function settleOrder(lost: LostOrder): Promise<OrderOutcome> {
  const inquiry = new Inquiry(lost);
  const { plan } = lost;
  for (let asked = 0; asked < plan.attempts; asked += 1) {
    if (asked > 0) await plan.wait(inquiry.waitMs(asked));
    const outcome = await inquiry.ask();
    if (outcome !== null) return outcome;
  }
  return inquiry.unknown();
}

/** Dates of HTTP have no fractions of a second. */
const DATE_PRECISION_MS = 1000;

/** What is known so far of one order. */
class Inquiry {
  readonly #lost: LostOrder;
  readonly #evidence: OrderEvidence[] = [];
  /** Nothing that arrives under the nonce from now on is carried out. */
  #isNonceUsed = false;
  /** When the order was sent, by the service's clock as far as it is known. */
  #sinceMs: number;
  #retryAfterMs = 0;
  #reason = "no clear answer came";

  constructor(lost: LostOrder) {
    this.#lost = lost;
    const { clock } = lost.connection;
    this.#sinceMs = clock.now() - this.#sentAgoMs();
    if (lost.sent !== null) this.#note(lost.sent.cause);
  }

  #sentAgoMs(): number {
    const { connection, sent } = this.#lost;
    return sent === null ? 0 : connection.clock.own() - sent.atMs;
  }

  waitMs(asked: number): number {
    const { firstWaitMs, longestWaitMs } = this.#lost.plan;
    const ownMs = firstWaitMs * 2 ** (asked - 1);
    return Math.min(longestWaitMs, Math.max(ownMs, this.#retryAfterMs));
  }

  /** Null: ask again. */
  async ask(): Promise<OrderOutcome | null> {
    const { connection, nonce } = this.#lost;
    const target = receiptPath(nonce);
    this.#retryAfterMs = 0;
    try {
      return await this.#judge(await sendRead<Receipt>(connection, { method: "GET", target }));
    } catch (error) {
      return hasNoReceipts(error) ? this.#askListings() : this.#notAnswered(error);
    }
  }

  async #judge(receipt: Receipt): Promise<OrderOutcome | null> {
    this.#evidence.push({ kind: "receipt", receipt });
    if (receipt.fate === "accepted") return this.#accepted(receipt.result);
    if (receipt.fate === "rejected") return this.#rejected(rejectionOfReceipt(receipt));
    this.#reason = `the service says ${receipt.fate}`;
    if (receipt.fate !== "unseen") return null;
    if (this.#isNonceUsed || (await this.#withdraw())) return this.#rejected(null);
    return this.#isNonceUsed ? this.ask() : null;
  }

  /** Tries to use the order's nonce before the order does: true when that is so. */
  async #withdraw(): Promise<boolean> {
    const { connection, nonce } = this.#lost;
    try {
      await send(connection, { method: "GET", target: ENDPOINTS.getPositions.path, nonce });
      this.#isNonceUsed = true;
      this.#evidence.push({ kind: "nonceWithdrawn" });
      return true;
    } catch (error) {
      if (error instanceof RejectedError && error.code === "nonceUsed") {
        this.#isNonceUsed = true;
        this.#evidence.push({ kind: "nonceUsed" });
        this.#placeInTime(error.rejection);
      } else {
        this.#notAnswered(error);
      }
      return false;
    }
  }

  /** As on any service of the specification: what the account lists is all there is. */
  async #askListings(): Promise<OrderOutcome | null> {
    const { connection, sent } = this.#lost;
    try {
      if (!this.#isNonceUsed) {
        this.#evidence.push({ kind: "noReceipts" });
        if (await this.#withdraw()) return this.#rejected(null);
        if (!this.#isNonceUsed) return null;
      }
      const listings = await readListings(connection);
      const before = this.#evidence.findIndex(({ kind }) => kind === "listings");
      if (before !== -1) this.#evidence.splice(before, 1);
      this.#evidence.push({ kind: "listings", ...listings });
      this.#reason = "the service keeps no receipts, and nothing listed is surely this order";
      const isThere = sent !== null && standsIn(listings, sent.order, this.#sinceMs);
      return isThere ? this.#accepted(null) : null;
    } catch (error) {
      return this.#notAnswered(error);
    }
  }

  #placeInTime({ headers }: Rejection): void {
    const serviceNowMs = moment(headers.date);
    if (serviceNowMs === null) return;
    this.#sinceMs = serviceNowMs - this.#sentAgoMs() - DATE_PRECISION_MS;
  }

  #notAnswered(error: unknown): OrderOutcome | null {
    const { message } = this.#note(error);
    this.#reason = message;
    if (!(error instanceof RejectedError)) return null;
    this.#retryAfterMs = error.rejection.retryAfterMs ?? 0;
    // A key that may not ask will not be told later either.
    return error.status < 500 && !error.isTemporary ? this.unknown() : null;
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
      reason: rejection === null ? NEVER_ARRIVED : `${rejection.status} ${rejection.error}`,
      rejection,
      evidence: this.#evidence,
    };
  }

  unknown(): OrderOutcome {
    const reason = this.#reason;
    return { fate: "unknown", nonce: this.#lost.nonce, reason, evidence: this.#evidence };
  }
}

const NEVER_ARRIVED = "the order was not carried out, and its nonce can no longer be used";

function hasNoReceipts(error: unknown): boolean {
  if (error instanceof UnexpectedAnswerError) return error.status === 404;
  return error instanceof RejectedError && error.status === 404 && error.code !== "accountNotFound";
}
