import {
  type Reply,
  type Signer,
  sendRequest,
  signedHeaders,
} from "../../packages/server/src/testing/signed-request.ts";
import { callOperator, createTraderKey } from "../kills/run-kills.ts";
import type { Victim } from "../kills/victim.ts";

/** A linked account with a key that may read and place orders. */
export interface LinkedTrader {
  /** The validator's id of the subaccount, its hotkey. */
  readonly subaccount: string;
  /** The subaccount's number at the gateway. */
  readonly number: number;
  readonly accountId: string;
  readonly signer: Signer;
}

/** Links the subaccount to a new owner, and creates a key of the account. */
export async function openLinkedTrader(
  victim: Victim,
  token: string,
  subaccount: string,
): Promise<Omit<LinkedTrader, "number">> {
  const body = { subaccount, ownerId: `owner-${subaccount}` };
  const linked = await callOperator(victim, { token, path: "/accounts/link", body });
  const accountId = String(linked.accountId);
  const { keyId, secret } = await createTraderKey(victim, token, accountId);
  return { subaccount, accountId, signer: { keyId, secret } };
}

const ORDERS = "/api/v1/trading/orders";

/** Signs and sends a request. Null when the connection broke before the whole answer came. */
export async function sendSigned(
  port: number,
  signer: Signer,
  request: { readonly target: string; readonly trade?: object; readonly nonce: string },
): Promise<Reply | null> {
  const { target, nonce } = request;
  const method = request.trade === undefined ? "GET" : "POST";
  const body = request.trade === undefined ? "" : JSON.stringify({ trade: request.trade });
  const timestamp = String(Date.now());
  const headers = {
    ...signedHeaders(signer, { method, target, body, timestamp, nonce }),
    ...(body === "" ? {} : { "Content-Type": "application/json" }),
  };
  return sendRequest({ host: "127.0.0.1", port, method, path: target, headers }, body).catch(
    () => null,
  );
}

/** Signs and sends an order. Null when the connection broke before the whole answer came. */
export function placeOrder(
  port: number,
  { signer }: LinkedTrader,
  order: { readonly trade: object; readonly nonce: string },
): Promise<Reply | null> {
  return sendSigned(port, signer, { target: ORDERS, ...order });
}

/** The fate of an order, from its receipt. */
export interface ReceiptFate {
  readonly fate: "accepted" | "rejected" | "pending" | "unseen";
  readonly orderUuid: string | null;
  readonly error: string | null;
  /** The status of the order, such as `filled` or `cancelled`; null unless it was accepted. */
  readonly status: string | null;
  /** The record of an accepted order; null when the receipt has none. */
  readonly order: ReceiptOrder | null;
}

/** The record of an accepted order in its receipt. */
export interface ReceiptOrder {
  readonly orderType: string;
  readonly filled: boolean;
  readonly quantity: number | null;
  readonly stopLoss: number | null;
  readonly bracketOrders: readonly { readonly orderUuid: string | null }[] | null;
}

/** Reads the receipt of an order; null when it cannot be read at this moment. */
export async function readReceipt(
  port: number,
  { signer }: LinkedTrader,
  which: { readonly nonce: string; readonly readNonce: string },
): Promise<ReceiptFate | null> {
  const target = `/api/v1/trading/receipts/${which.nonce}`;
  const reply = await sendSigned(port, signer, { target, nonce: which.readNonce });
  if (reply === null || reply.status !== 200) return null;
  const { data } = reply.json() as {
    readonly data: {
      readonly fate: ReceiptFate["fate"];
      readonly result: {
        readonly order_uuid: string;
        readonly status: string;
        readonly order: ReceiptOrder | null;
      } | null;
      readonly error: string | null;
    };
  };
  const { fate, result, error } = data;
  const { order_uuid: orderUuid = null, status = null, order = null } = result ?? {};
  return { fate, orderUuid, error, status, order };
}

/** True when no event can change the fate of the receipt. */
export function isFinalReceipt(receipt: ReceiptFate | null | undefined): boolean {
  return ["accepted", "rejected", "unseen"].includes(receipt?.fate ?? "");
}

/** The items of a list of the account; null when it cannot be read at this moment. */
export async function readAccountList(
  port: number,
  { signer }: LinkedTrader,
  list: "positions" | "orders",
): Promise<readonly Readonly<Record<string, unknown>>[] | null> {
  const target = `/api/v1/trading/${list}`;
  const reply = await sendSigned(port, signer, { target, nonce: `read-${crypto.randomUUID()}` });
  if (reply?.status !== 200) return null;
  const { data } = reply.json() as { readonly data: readonly Readonly<Record<string, unknown>>[] };
  return data;
}
