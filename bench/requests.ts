import type { LoadPlan, LoadResult } from "./load.ts";

/** The method, path and body of a request. */
export type RequestForm = Pick<LoadPlan, "method" | "target" | "body">;

/** The form of a read of the positions. */
export const READ_POSITIONS: RequestForm = {
  method: "GET",
  target: "/api/v1/trading/positions",
  body: "",
};

/**
 * The form of a POST of an order on the pair. It is a MARKET LONG unless `fields` has another kind or direction.
 * `fields` also has the other fields of the trade, such as its size and its legs.
 */
export function marketOrder(pair: string, fields: Readonly<Record<string, unknown>>): RequestForm {
  const trade = { execution_type: "MARKET", trade_pair: pair, order_type: "LONG", ...fields };
  return { method: "POST", target: "/api/v1/trading/orders", body: JSON.stringify({ trade }) };
}

/** The form of a POST of a MARKET LONG of 100 USD on BTCUSD. */
export const SMALL_ORDER = marketOrder("BTCUSD", { value: 100 });

/** Checks that all answers of a load have status 200. @throws when an answer is missing or has another status */
export function expectAllAnswered(
  { statuses }: Pick<LoadResult, "statuses">,
  { requests, what }: { readonly requests: number; readonly what: string },
): void {
  if (statuses["200"] === requests) return;
  throw new Error(
    `${what}: not all of ${requests} answers have status 200: ${JSON.stringify(statuses)}`,
  );
}
