import { ENDPOINTS } from "@propgate/contract";
import type { OrderResult } from "../described/described-types.ts";
import {
  AbortedError,
  PropgateError,
  RejectedError,
  type Rejection,
  type RejectionCode,
} from "../errors.ts";
import { learnClock } from "../read.ts";
import { dataObjectOf, send } from "../send.ts";
import { UnreachableError } from "../unreachable.ts";
import { createFatePort } from "./fate-port.ts";
import { orderBody } from "./order-body.ts";
import type { OrderOutcome } from "./order-outcome.ts";
import { reportSending } from "./order-progress.ts";
import type { OrderRequest } from "./order-request.ts";
import type { PlacementContext } from "./placement-context.ts";
import { settleOrder } from "./settle-order.ts";
import { checkOrder, requireLegs } from "./strict.ts";

/**
 * Sends the order and returns its fate. It is signed and sent again only after a rejected timestamp. When the answer
 * leaves the fate unknown, `settleOrder` finds it out and sends no order. @rule S4.2.notIdempotent decides
 */
export async function placeOrder(
  placing: PlacementContext,
  order: OrderRequest,
  isStrict: boolean,
): Promise<OrderOutcome> {
  // The order is serialized once, so that the same bytes are checked, signed and sent.
  const body = orderBody(order);
  const legs = isStrict ? checkOrder(body) : [];
  const outcome = await sendOnce(placing, order, body);
  if (outcome.fate === "accepted") requireLegs(outcome, legs);
  return outcome;
}

/** One attempt to send the order, with one nonce. */
interface Attempt {
  readonly nonce: string;
  /** When it was sent, by this machine's own clock. */
  readonly atMs: number;
  /** The result of the order, or the error of the request. */
  readonly end: { readonly result: OrderResult } | { readonly cause: PropgateError };
}

async function sendOnce(
  placing: PlacementContext,
  order: OrderRequest,
  body: string,
): Promise<OrderOutcome> {
  const first = await sendSigned(placing, body);
  const { nonce, atMs, end } = (await mayBeSignedAgain(placing, first))
    ? await sendSigned(placing, body)
    : first;
  if ("result" in end) return { fate: "accepted", nonce, result: end.result, evidence: [] };
  const { cause } = end;
  if (cause instanceof UnreachableError && cause.nothingWasSent)
    return neverSentOutcome(nonce, cause);
  if (cause instanceof AbortedError && cause.nothingWasSent) return neverSentOutcome(nonce, cause);
  if (!(cause instanceof RejectedError && isFinal(cause.rejection))) {
    return settleOrder({
      ...placing,
      service: createFatePort(placing.connection),
      nonce,
      sent: { order, atMs, cause },
      mayWithdraw: true,
    });
  }
  const { rejection, message: reason } = cause;
  const evidence = [{ kind: "answer", rejection }] as const;
  const { refusalCode } = rejection;
  return { fate: "rejected", nonce, reason, refusalCode, rejection, evidence };
}

/** Signs the order with a new nonce and sends it. */
async function sendSigned(placing: PlacementContext, body: string): Promise<Attempt> {
  const { connection, deadline } = placing;
  const { method, path: target } = ENDPOINTS.placeOrder;
  const nonce = connection.newNonce();
  const progress = { step: "sending", nonce, reason: null, waitMs: 0 } as const;
  const sending = { ...progress, leftMs: deadline.leftMs() };
  await reportSending(placing.onProgress, sending, connection.signal);
  const atMs = connection.clock.own();
  try {
    const outgoing = { method, target, body, nonce };
    const result = await send<OrderResult>(connection, outgoing, dataObjectOf);
    return { nonce, atMs, end: { result } };
  } catch (cause) {
    if (!(cause instanceof PropgateError)) throw cause;
    return { nonce, atMs, end: { cause } };
  }
}

/**
 * True when the service rejected the timestamp and the client has learned the service's time. @rule D10.clockLearned
 */
async function mayBeSignedAgain(
  { connection }: PlacementContext,
  { end }: Attempt,
): Promise<boolean> {
  try {
    return "cause" in end && (await learnClock(connection, end.cause));
  } catch (error) {
    // The deadline has passed or the caller has aborted, so the rejection is the order's fate.
    if (error instanceof AbortedError) return false;
    throw error;
  }
}

function neverSentOutcome(nonce: string, cause: PropgateError): OrderOutcome {
  const { message: reason } = cause;
  const evidence = [{ kind: "noAnswer", what: reason }] as const;
  return { fate: "rejected", nonce, reason, refusalCode: null, rejection: null, evidence };
}

/** Codes of a 5xx after which the order was certainly not carried out. */
const NOT_CARRIED_OUT_CODES: readonly RejectionCode[] = [
  "decryptFailed",
  "networkDown",
  "notCarriedOut",
  "ownerChanging",
];

/**
 * True when the rejection proves that the order was not carried out and never will be. A 409 for a used nonce is no
 * proof: a proxy may have sent the order twice, and the first copy may have been carried out. An answer outside the
 * error table is no proof either, because it may come from a proxy that forwarded the order.
 */
function isFinal({ status, code }: Rejection): boolean {
  if (code === "unlisted" || code === "nonceUsed") return false;
  return status < 500 || NOT_CARRIED_OUT_CODES.includes(code);
}
