import { ENDPOINTS, type OrderResult } from "@propgate/contract";
import {
  PropgateError,
  RejectedError,
  type Rejection,
  type RejectionCode,
  UnreachableError,
} from "../errors.ts";
import { learnClock } from "../read.ts";
import type { RetryPlan } from "../retry.ts";
import { type Connection, send } from "../send.ts";
import type { OrderOutcome } from "./order-outcome.ts";
import type { OrderRequest } from "./order-request.ts";
import { settleOrder } from "./settle-order.ts";
import { checkOrder, requireLegs } from "./strict.ts";

/** How the fate of an order is asked for: some twenty seconds long. */
export const DEFAULT_SETTLING: Pick<RetryPlan, "attempts" | "firstWaitMs" | "longestWaitMs"> = {
  attempts: 10,
  firstWaitMs: 100,
  longestWaitMs: 4000,
};

export interface Placing {
  readonly connection: Connection;
  readonly plan: RetryPlan;
  readonly isStrict: boolean;
}

/** Sends the order once and says what became of it. @rule S4.2.notIdempotent */
export async function placeOrder(placing: Placing, order: OrderRequest): Promise<OrderOutcome> {
  // Once: these bytes are checked, signed and sent.
  const body = JSON.stringify(order);
  const legs = placing.isStrict ? checkOrder(body) : [];
  const outcome = await sendOnce(placing, order, body);
  if (outcome.fate === "accepted") requireLegs(outcome, legs);
  return outcome;
}

async function sendOnce(
  { connection, plan }: Placing,
  order: OrderRequest,
  body: string,
): Promise<OrderOutcome> {
  const { method, path: target } = ENDPOINTS.placeOrder;
  const nonce = connection.newNonce();
  const atMs = connection.clock.own();
  try {
    const result = await send<OrderResult>(connection, { method, target, body, nonce });
    return { fate: "accepted", nonce, result, evidence: [] };
  } catch (cause) {
    if (!(cause instanceof PropgateError)) throw cause;
    if (cause instanceof UnreachableError && cause.nothingWasSent) {
      const evidence = [{ kind: "noAnswer", what: cause.message }] as const;
      return { fate: "rejected", nonce, reason: cause.message, rejection: null, evidence };
    }
    if (!(cause instanceof RejectedError && isFinal(cause.rejection))) {
      return settleOrder({ connection, plan, nonce, sent: { order, atMs, cause } });
    }
    // The next order of this client is signed by the service's time.
    await learnClock(connection, cause);
    const { rejection, message: reason } = cause;
    const evidence = [{ kind: "answer", rejection }] as const;
    return { fate: "rejected", nonce, reason, rejection, evidence };
  }
}

/** What a 5xx of the service can say for certain. */
const NOTHING_HAPPENED: readonly RejectionCode[] = [
  "decryptFailed",
  "networkDown",
  "notCarriedOut",
];

/**
 * Whether nothing happened and nothing will. A nonce that is used already was sent twice by something
 * on the way, and the first of the two may have been carried out. What is in no row of the error
 * table may come from something in front of the service that has passed the order on.
 */
function isFinal({ status, code }: Rejection): boolean {
  if (code === "unlisted" || code === "nonceUsed") return false;
  return status < 500 || NOTHING_HAPPENED.includes(code);
}
