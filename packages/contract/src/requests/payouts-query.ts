import { LIMITS } from "../limits.ts";
import type { QueryParameters } from "./query-string.ts";

/**
 * The requested page of payouts, or the parameter that is wrong. `cursor` is null for the first page. The server checks
 * that the cursor was issued for this account.
 */
export type PayoutsQuery =
  | { readonly ok: true; readonly limit: number; readonly cursor: string | null }
  | { readonly ok: false; readonly error: "invalidLimit" | "invalidCursor" };

/** Reads the query of GET payouts. @rule S4.1.cursor */
export function parsePayoutsQuery(parameters: QueryParameters): PayoutsQuery {
  const limit = parseLimit(parameters.get("limit"));
  if (limit === null) return { ok: false, error: "invalidLimit" };
  const cursors = parameters.get("cursor");
  if (cursors === undefined) return { ok: true, limit, cursor: null };
  const [cursor, ...more] = cursors;
  if (cursor === undefined || cursor === "" || more.length > 0) {
    return { ok: false, error: "invalidCursor" };
  }
  return { ok: true, limit, cursor };
}

/**
 * The number of payouts of a page; null for a value that is rejected. Values above the maximum count as the maximum.
 * @rule S4.1.limit decides
 */
function parseLimit(values: readonly string[] | undefined): number | null {
  if (values === undefined) return LIMITS.payoutsLimitDefault;
  const [value, ...more] = values;
  if (value === undefined || more.length > 0 || !/^[0-9]+$/.test(value)) return null;
  const rows = Number(value);
  return rows >= LIMITS.payoutsLimitMin ? Math.min(rows, LIMITS.payoutsLimitMax) : null;
}
