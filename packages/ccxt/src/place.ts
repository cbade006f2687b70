import type { OrderResult, OrderTrade, Receipt } from "@propgate/contract";
import { randomNonce } from "@propgate/sdk";
import { ask, CALLS } from "./calls.ts";
import { ccxtError, type Desk } from "./ccxt-module.ts";
import { errorClassOf, leavesFateOpen, type Refused, refusedWith } from "./error-classes.ts";
import { nonceHeaders } from "./signed-request.ts";

/** A refusal's error; what the service said stands beside the message, for programs. */
export interface RefusedError extends Error {
  readonly refused: Refused;
}

export function isRefusedError(error: unknown): error is RefusedError {
  return error instanceof Error && "refused" in error;
}

/** The error of a refusal, or null where ccxt's own table of HTTP statuses decides. */
export function refusedError(desk: Desk, refused: Refused, hint: string): RefusedError | null {
  const name = errorClassOf(refused);
  if (name === null) return null;
  const error = ccxtError(desk, name, `${refused.status} ${refused.error}${hint}`);
  return Object.assign(error, { refused });
}

/** Between two looks at a receipt, and how often: an order in flight arrives within this. */
const LOOK_AGAIN_MS = 300;
const LOOKS = 5;

/**
 * Sends one order, once: ccxt's repetitions are off, whatever its options say. Where no answer or a
 * fault leaves open what became of it, the receipt of its nonce is asked. Throws RequestTimeout, with
 * the nonce, when that cannot tell either; the order may stand then. @rule S4.2.notIdempotent
 */
export async function place(desk: Desk, trade: OrderTrade, id: OrderId): Promise<OrderResult> {
  const { nonce } = id;
  try {
    return await ask(desk, CALLS.placeOrder, {
      params: { trade, maxRetriesOnFailure: 0 },
      headers: nonceHeaders(desk, nonce),
    });
  } catch (error) {
    if (isReused(error) && id.isOwn) {
      const text = `clientOrderId '${nonce}' was used before: fetchOrderWithClientOrderId tells what became of it`;
      throw Object.assign(ccxtError(desk, "DuplicateOrderId", text), { cause: error });
    }
    if (!isFateOpen(desk, error)) throw error;
    return await fateOf(desk, nonce, error);
  }
}

/** The nonce of an order: the bot's own clientOrderId, or a random one. */
export interface OrderId {
  readonly nonce: string;
  readonly isOwn: boolean;
}

export function orderId(clientOrderId: string | undefined): OrderId {
  return { nonce: clientOrderId ?? randomNonce(), isOwn: clientOrderId !== undefined };
}

function isReused(error: unknown): boolean {
  return isRefusedError(error) && error.refused.name === "nonceUsed";
}

/** A random nonce that was used before is this order itself, repeated by somebody in between. */
function isFateOpen({ ccxt }: Desk, error: unknown): boolean {
  if (isReused(error)) return true;
  if (isRefusedError(error)) return leavesFateOpen(error.refused);
  return error instanceof ccxt.NetworkError || error instanceof ccxt.BadResponse;
}

async function fateOf(desk: Desk, nonce: string, cause: unknown): Promise<OrderResult> {
  let seen = "no receipt could be read";
  for (let look = 0; look < LOOKS; look += 1) {
    if (look > 0) await desk.exchange.sleep(LOOK_AGAIN_MS);
    const receipt = await readReceipt(desk, nonce).catch((error: unknown) => String(error));
    if (typeof receipt === "string") {
      seen = receipt;
      continue;
    }
    const { result } = receipt;
    if (receipt.fate === "accepted" && result !== null) return result;
    if (receipt.fate === "rejected") throw rejection(desk, receipt);
    seen = `its receipt says ${receipt.fate}`;
  }
  const text = `nobody can say yet whether the order was carried out: ${seen}, after ${String(cause)}. Ask fetchOrderWithClientOrderId('${nonce}') before it is placed again; with params.clientOrderId '${nonce}' the service takes it at most once`;
  throw Object.assign(ccxtError(desk, "RequestTimeout", text), { clientOrderId: nonce, cause });
}

/** What became of the order with this nonce. The path holds the nonce escaped. */
export function readReceipt(desk: Desk, nonce: string): Promise<Receipt> {
  return ask(desk, CALLS.receipt, { params: { nonce: encodeURIComponent(nonce) } });
}

/** The error that the order's own answer was, or would have been. */
export function rejection(desk: Desk, receipt: Receipt): Error {
  const status = receipt.status ?? 500;
  const error = receipt.error ?? "rejected";
  const refused = refusedWith(status, error, true);
  return (
    refusedError(desk, refused, "") ?? ccxtError(desk, "ExchangeNotAvailable", `${status} ${error}`)
  );
}
