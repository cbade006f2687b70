import { ERRORS } from "@propgate/contract";
import type { OrderResult } from "@propgate/sdk";
import type { ClientRecord, Exchange } from "./client-load.ts";

/** An order with the key that signed it. */
export interface SentOrder {
  readonly accountId: string;
  readonly keyId: string;
  readonly exchange: Exchange;
}

export function sentOrders(records: readonly ClientRecord[]): readonly SentOrder[] {
  return records.flatMap(({ key, exchanges }) =>
    exchanges
      .filter(({ call }) => call === "order")
      .map((exchange) => ({ accountId: key.accountId, keyId: key.keyId, exchange })),
  );
}

/** The result of an answered order; null for every other exchange. */
export function resultOf({ status, data }: Exchange): OrderResult | null {
  return status === 200 ? (data as OrderResult) : null;
}

/** Without an answer, or with one that leaves the fate to the receipt. */
export function needsReceipt({ status }: Exchange): boolean {
  return status === null || status >= 500;
}

/** The texts that the specification gives orders while the network or the database is away. */
const ALLOWED_500: readonly string[] = [
  ERRORS.unknownFate.text,
  ERRORS.networkDown.text,
  ERRORS.notCarriedOut.text,
];
const ALWAYS_WRONG: readonly number[] = [401, 403, 404, 405];

/** Answers that no failure excuses: every 500 but the specification's, and a nonce that was sent once and is used. */
export function wrongStatuses(records: readonly ClientRecord[]): readonly string[] {
  return records.flatMap(({ exchanges }) => exchanges.filter(isWrong).map(nameOf));
}

function isWrong({ call, status, error }: Exchange): boolean {
  if (status === null) return false;
  if (status === 500) return call !== "order" || !ALLOWED_500.includes(error ?? "");
  // A settlement signs a read of a receipt with the nonce of the order; every other nonce is new.
  return ALWAYS_WRONG.includes(status) || status === 502 || (status === 409 && call !== "receipt");
}

/** How often each answer came, such as `order 503 …`. */
export function countedAnswers(records: readonly ClientRecord[]): Readonly<Record<string, number>> {
  const names = records.flatMap(({ exchanges }) => exchanges.map(nameOf)).toSorted();
  return Object.fromEntries(
    [...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]),
  );
}

function nameOf({ call, status, error }: Exchange): string {
  // Numbers differ from answer to answer.
  const text = (error ?? "").replaceAll(/\d[\d,.]*/g, "N");
  return `${call} ${status ?? "no answer"} ${text}`.trim();
}
