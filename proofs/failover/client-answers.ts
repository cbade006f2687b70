import { ERRORS } from "@propgate/contract";
import type { OrderResult } from "@propgate/sdk";
import type { ClientRecord, HttpExchange } from "./client-load.ts";

/** The exchange of an order, with the account and the key that signed it. */
export interface OrderExchange {
  readonly accountId: string;
  readonly keyId: string;
  readonly exchange: HttpExchange;
}

/** The exchanges of all clients in which an order was sent. */
export function orderExchangesOf(records: readonly ClientRecord[]): readonly OrderExchange[] {
  return records.flatMap(({ key, exchanges }) =>
    exchanges
      .filter(({ call }) => call === "order")
      .map((exchange) => ({ accountId: key.accountId, keyId: key.keyId, exchange })),
  );
}

/** The result of an order that was answered 200; null for every other exchange. */
export function orderResultOf({ status, data }: HttpExchange): OrderResult | null {
  return status === 200 ? (data as OrderResult) : null;
}

/** True for an order without an answer or with a 5xx: only its receipt tells its fate. */
export function needsReceipt({ status }: HttpExchange): boolean {
  return status === null || status >= 500;
}

/**
 * The texts of the 500 answers that the specification allows for orders while the network or the database cannot be
 * reached.
 */
const ALLOWED_500: readonly string[] = [
  ERRORS.unknownFate.text,
  ERRORS.networkDown.text,
  ERRORS.notCarriedOut.text,
];
const ALWAYS_WRONG: readonly number[] = [401, 403, 404, 405];

/**
 * The answers that no failure excuses, as texts. These are 401, 403, 404, 405, 502, every 500 except the allowed ones
 * for an order, and a 409 (nonce used) for any call except a receipt.
 */
export function inexcusableAnswers(records: readonly ClientRecord[]): readonly string[] {
  return records.flatMap(({ exchanges }) => exchanges.filter(isInexcusable).map(nameOf));
}

function isInexcusable({ call, status, error }: HttpExchange): boolean {
  if (status === null) return false;
  if (status === 500) return call !== "order" || !ALLOWED_500.includes(error ?? "");
  // The settlement of an order signs its read of the receipt with the order's own nonce, so a 409 is correct there.
  // Every other nonce is new.
  return ALWAYS_WRONG.includes(status) || status === 502 || (status === 409 && call !== "receipt");
}

/** The number of answers with the same call, status and error, by a name such as `order 503 …`. */
export function countAnswers(records: readonly ClientRecord[]): Readonly<Record<string, number>> {
  const names = records.flatMap(({ exchanges }) => exchanges.map(nameOf)).toSorted();
  return Object.fromEntries(
    [...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]),
  );
}

function nameOf({ call, status, error }: HttpExchange): string {
  // Answers that differ only in a number count as the same.
  const text = (error ?? "").replaceAll(/\d[\d,.]*/g, "N");
  return `${call} ${status ?? "no answer"} ${text}`.trim();
}
