import type { OrderResult, OrderTrade, Receipt } from "@propgate/contract";
import {
  type FatePort,
  PropgateError,
  RejectedError,
  type Rejection,
  randomNonce,
  settleOrder,
} from "@propgate/sdk";
import { API_CALLS, type CallInput, callApi, callForTarget } from "../calls.ts";
import { ccxtError, type ExchangeContext } from "../ccxt-module.ts";
import {
  type ClassifiedFailure,
  classifyFailure,
  errorClassOf,
  type FailedAnswer,
  leavesFateOpen,
} from "../error-classes.ts";
import { nonceHeaders } from "../signed-request.ts";

/** The error of a rejection, with the service's answer in `refused` for programs. */
export interface RefusedError extends Error {
  readonly refused: ClassifiedFailure;
}

/** Whether an error has the service's answer in `refused`. */
export function isRefusedError(error: unknown): error is RefusedError {
  return error instanceof Error && "refused" in error;
}

/** The ccxt error of a rejection. Null when ccxt's own table of HTTP statuses determines the error. */
export function refusedError(
  desk: ExchangeContext,
  refused: ClassifiedFailure,
  hint: string,
): RefusedError | null {
  const name = errorClassOf(refused);
  if (name === null) return null;
  const error = ccxtError(desk, name, `${refused.status} ${refused.error}${hint}`);
  return Object.assign(error, { refused });
}

/**
 * Sends an order once: ccxt's retries are off, even when its options enable them. When no answer comes, or an error
 * that does not show the fate of the order, it reads the receipt of the order's nonce. Throws RequestTimeout with the
 * nonce when the fate stays unknown; the order may then have been carried out. @rule S4.2.notIdempotent
 */
export async function place(
  desk: ExchangeContext,
  trade: OrderTrade,
  id: OrderNonce,
): Promise<OrderResult> {
  const { nonce } = id;
  try {
    const { params, headers } = singleSendInput(desk, nonce);
    return await callApi(desk, API_CALLS.placeOrder, { params: { ...params, trade }, headers });
  } catch (error) {
    if (isReused(error) && id.isOwn) {
      const text = `clientOrderId '${nonce}' was used before: fetchOrderWithClientOrderId returns the order that used it`;
      throw Object.assign(ccxtError(desk, "DuplicateOrderId", text), { cause: error });
    }
    if (!isFateOpen(desk, error)) throw error;
    return await settleFate(desk, id, error);
  }
}

/** The nonce of an order: the bot's own clientOrderId, or a random one. */
export interface OrderNonce {
  readonly nonce: string;
  readonly isOwn: boolean;
}

/** The bot's own `clientOrderId` as the nonce, or a random nonce without one. */
export function orderNonce(clientOrderId: string | undefined): OrderNonce {
  return { nonce: clientOrderId ?? randomNonce(), isOwn: clientOrderId !== undefined };
}

function isReused(error: unknown): boolean {
  return isRefusedError(error) && error.refused.name === "nonceUsed";
}

/**
 * True when the error does not show the order's fate. An error that a random nonce was already used means that a proxy
 * has sent this order twice, so the service may have accepted the first request.
 */
function isFateOpen({ ccxt }: ExchangeContext, error: unknown): boolean {
  if (isReused(error)) return true;
  if (isRefusedError(error)) return leavesFateOpen(error.refused);
  return error instanceof ccxt.NetworkError || error instanceof ccxt.BadResponse;
}

/** Up to five attempts, 300 ms apart. An order that is still on its way arrives within this time. */
const SETTLE_PLAN = { attempts: 5, firstWaitMs: 300, longestWaitMs: 300 };

/**
 * Finds out the fate of an order by the SDK's protocol. An order with a random nonce that has not arrived is withdrawn,
 * so that the bot may place it again. An order with the bot's own id is not withdrawn, because the bot may send that id
 * again.
 */
async function settleFate(
  desk: ExchangeContext,
  id: OrderNonce,
  cause: unknown,
): Promise<OrderResult> {
  const { nonce } = id;
  const outcome = await settleOrder({
    service: fatePort(desk),
    nonce,
    sent: null,
    mayWithdraw: !id.isOwn,
    plan: { ...SETTLE_PLAN, wait: async (ms) => void (await desk.exchange.sleep(ms)) },
    deadline: { signal: new AbortController().signal, leftMs: () => Number.POSITIVE_INFINITY },
    onProgress: null,
  });
  if (outcome.fate === "accepted" && outcome.result !== null) return outcome.result;
  if (outcome.fate === "rejected") {
    const { rejection } = outcome;
    throw rejection === null ? neverArrivedError(desk, id, cause) : rejectedError(desk, rejection);
  }
  const reason = outcome.fate === "unknown" ? outcome.reason : "its result is not known";
  throw unknownFateError(desk, nonce, `${reason}, after ${String(cause)}`);
}

/** An error that the transport threw when no answer of the service came. */
class TransportError extends PropgateError {
  override readonly name = "TransportError";
  override readonly code = "unreachable";
}

/** The SDK's reads, sent through ccxt with its throttle, proxies and time limit. */
function fatePort(desk: ExchangeContext): FatePort {
  const ownMs = (): number => desk.exchange.milliseconds();
  return {
    clock: { now: ownMs, own: ownMs },
    async read<Data>(target: string, nonce: string | null): Promise<Data> {
      const input = nonce === null ? {} : singleSendInput(desk, nonce);
      try {
        return (await callApi(desk, callForTarget(target), input)) as Data;
      } catch (error) {
        if (!isRefusedError(error)) throw new TransportError(String(error), { cause: error });
        throw new RejectedError(rejectionOf(error.refused));
      }
    },
  };
}

/** The input with which a request has this nonce and is not retried by ccxt. */
function singleSendInput(desk: ExchangeContext, nonce: string): Required<CallInput> {
  return { params: { maxRetriesOnFailure: 0 }, headers: nonceHeaders(desk, nonce) };
}

function rejectionOf({ status, error, name, refusalCode }: ClassifiedFailure): Rejection {
  return {
    status,
    code: name ?? "unlisted",
    error,
    refusalCode,
    requiredScope: null,
    retryAfterMs: null,
    headers: {},
  };
}

function neverArrivedError(desk: ExchangeContext, { isOwn }: OrderNonce, cause: unknown): Error {
  const again = isOwn ? "again with another clientOrderId" : "again";
  const text = `rejected: withdrawn; the order did not arrive and can no longer be accepted, so it may be placed ${again}: ${String(cause)}`;
  return Object.assign(ccxtError(desk, "ExchangeNotAvailable", text), { cause });
}

function unknownFateError(desk: ExchangeContext, nonce: string, reason: string): Error {
  const text = `it is not known yet whether the order was carried out: ${reason}. Call fetchOrderWithClientOrderId('${nonce}') before placing it again; with params.clientOrderId '${nonce}' the service carries it out at most once`;
  return Object.assign(ccxtError(desk, "RequestTimeout", text), { clientOrderId: nonce });
}

/**
 * Reads the receipt of the order with this nonce. The nonce is escaped here, because ccxt does not escape parameters of
 * a path. Throws BadResponse for the receipt of another order.
 */
export async function readReceipt(desk: ExchangeContext, nonce: string): Promise<Receipt> {
  const params = { nonce: encodeURIComponent(nonce) };
  const receipt = await callApi(desk, API_CALLS.receipt, { params });
  if (receipt.nonce === nonce) return receipt;
  throw ccxtError(desk, "BadResponse", `the answer is not the receipt of ${nonce}`);
}

/** The error for the receipt of a rejected order, or of a nonce that another request has used. @rule D13.withdrawn */
export function receiptError(
  desk: ExchangeContext,
  { nonce, fate, status, error, refusalCode }: Receipt,
): Error {
  if (fate === "withdrawn") {
    const text = `rejected: withdrawn; another request has used the clientOrderId ${nonce}, so no order with it is ever carried out`;
    return ccxtError(desk, "OrderNotFound", text);
  }
  return rejectedError(desk, { status: status ?? 500, error: error ?? "rejected", refusalCode });
}

function rejectedError(
  desk: ExchangeContext,
  { status, error, refusalCode }: Pick<FailedAnswer, "status" | "error" | "refusalCode">,
): Error {
  const refused = classifyFailure({ status, error, isOrder: true, refusalCode });
  return (
    refusedError(desk, refused, "") ?? ccxtError(desk, "ExchangeNotAvailable", `${status} ${error}`)
  );
}
