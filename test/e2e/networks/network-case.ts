import type { RefusalCode, SignedEndpointName } from "@propgate/contract";
import { expect } from "vitest";
import type { NetworkName } from "../../../packages/ledger/src/storage/rows/network-name.ts";
import { expectDescribedAnswer } from "../../../packages/server/src/testing/described-answer.ts";
import type { Reply } from "../../../packages/server/src/testing/signed-request.ts";

/** Pairs that every network has, by their ids on one network. */
export interface PairIds {
  readonly btc: string;
  readonly eth: string;
  /** A pair outside the class of an account that trades crypto. */
  readonly outsideClass: string;
}

/** A new account of 100,000 USD on one network. It trades crypto and has a key of both scopes. */
export interface Trader {
  readonly network: NetworkName;
  readonly pairs: PairIds;
  /** Signs and sends one request. */
  readonly call: (path: string, options?: CallOptions) => Promise<Reply>;
  /** Sets a price at the network. The next reads show everything that it triggered. */
  readonly quote: (pair: string, bid: number, ask: number) => Promise<void>;
  /** Ends the account at the network. */
  readonly eliminate: () => Promise<void>;
}

/** Opens traders at a service on one network. */
export interface TradersOfNetwork {
  /** Opens an account with a key. Resets every pair to its first price. */
  readonly open: (options: { readonly cooldownMs?: number }) => Promise<Trader>;
  readonly close: () => Promise<void>;
}

export interface CallOptions {
  readonly method?: "GET" | "POST";
  readonly body?: string;
  readonly nonce?: string;
}

/** Why a network cannot carry out a case, and a check of the answer with which it refuses. */
export interface CaseObstacle {
  readonly reason: string;
  readonly says: (trader: Trader) => Promise<void>;
}

/** A case for every network. A network that cannot carry it out must refuse it as `cannot` says. */
export interface NetworkCase {
  readonly title: string;
  /** The milliseconds that must pass between two orders of the account on one pair; 0 unless given. */
  readonly cooldownMs?: number;
  /** The networks that cannot carry out the case. All other networks run it. */
  readonly cannot?: Partial<Readonly<Record<NetworkName, CaseObstacle>>>;
  readonly run: (trader: Trader) => Promise<void>;
}

const READS = {
  account: "getAccount",
  positions: "getPositions",
  orders: "getOrders",
  trades: "getTrades",
  payouts: "getPayouts",
  instruments: "getInstruments",
} as const satisfies Readonly<Record<string, SignedEndpointName>>;

const ORDERS_PATH = "/api/v1/trading/orders";

/** The `data` of a read. Checks that the answer is as the published document describes it. */
export async function readEndpoint(trader: Trader, endpoint: keyof typeof READS): Promise<unknown> {
  const reply = await trader.call(`/api/v1/trading/${endpoint}`);
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  expectDescribedAnswer(READS[endpoint], reply, trader.network);
  return dataOf(reply);
}

/** Sends an order and checks that the answer is as the published document describes it. */
export async function sendOrder(trader: Trader, trade: object, nonce?: string): Promise<Reply> {
  const body = JSON.stringify({ trade });
  const name = nonce === undefined ? {} : { nonce };
  const reply = await trader.call(ORDERS_PATH, { method: "POST", body, ...name });
  expectDescribedAnswer("placeOrder", reply, trader.network);
  return reply;
}

/** Sends an order that must be accepted. Resolves with the `data` of the answer. */
export async function expectAccepted(trader: Trader, trade: object): Promise<AcceptedOrder> {
  const reply = await sendOrder(trader, trade);
  expect(reply.text).toContain('"success":true');
  expect(reply.status).toBe(200);
  return dataOf(reply) as AcceptedOrder;
}

/** The fields of an accepted order's answer that the cases check. */
export interface AcceptedOrder {
  readonly order_uuid: string;
  readonly status: string;
  readonly order: Readonly<Record<string, unknown>> | null;
}

/**
 * Sends an order that must be refused with this code, or without a code when it is null. Resolves with the text of the
 * refusal.
 */
export async function expectRefused(
  trader: Trader,
  trade: object,
  code: RefusalCode | null,
): Promise<string> {
  const nonce = `refused-${crypto.randomUUID()}`;
  const reply = await sendOrder(trader, trade, nonce);
  expect([reply.status, reply.text]).toEqual([400, expect.any(String)]);
  const receipt = await trader.call(`/api/v1/trading/receipts/${nonce}`);
  expectDescribedAnswer("getReceipt", receipt, trader.network);
  const { error } = reply.json() as { readonly error: string };
  expect(dataOf(receipt)).toMatchObject({
    fate: "rejected",
    status: 400,
    error,
    refusalCode: code,
  });
  return error;
}

/** Checks that the call is answered with 404 and a reason. */
export async function expectNotOffered(
  trader: Trader,
  path: string,
  options?: CallOptions,
): Promise<void> {
  const reply = await trader.call(path, options);
  expect([reply.status, reply.text]).toEqual([
    404,
    expect.stringMatching(/^\{"error":"Not offered: .{20,}"\}$/),
  ]);
}

export function dataOf(reply: Reply): unknown {
  return (reply.json() as { readonly data: unknown }).data;
}

export function marketTrade(pair: string, order_type: "LONG" | "SHORT", size: object): object {
  return { execution_type: "MARKET", trade_pair: pair, order_type, ...size };
}

export function limitTrade(pair: string, limit_price: number, more: object = {}): object {
  return {
    execution_type: "LIMIT",
    trade_pair: pair,
    order_type: "LONG",
    quantity: 0.5,
    limit_price,
    ...more,
  };
}

export function flatTrade(pair: string): object {
  return { execution_type: "MARKET", trade_pair: pair, order_type: "FLAT" };
}
