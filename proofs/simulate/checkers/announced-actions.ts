/** The announced splits and dividends, and their effect on a price. */
import { type PairId, pairId, price, type Quote } from "@propgate/core";
import type { Observation } from "../checker.ts";

export interface AnnouncedAction {
  readonly id: string;
  readonly pair: PairId;
  readonly atMs: number;
  /** When the action was announced: later than `atMs`, the time at which it takes effect, for a late announcement. */
  readonly announcedAtMs: number;
  readonly isCancelled: boolean;
  /** The price after the action is the price before it times `factor`, less `amount`. */
  readonly factor: number;
  readonly amount: number;
}

interface Row {
  readonly action_id: string;
  readonly pair: string;
  readonly at_ms: string;
  readonly announced_at_ms: string;
  readonly status: string;
  readonly new_shares: number | null;
  readonly old_shares: number | null;
  readonly amount: number | null;
}

/**
 * All announcements, including cancelled ones, sorted by the time at which they take effect. The first database has
 * them for all databases.
 */
export async function announcedActions({
  databases,
  database,
}: Observation): Promise<readonly AnnouncedAction[]> {
  const rows = await (databases?.[0] ?? database).query<Row>(
    `select action_id, pair, at_ms, announced_at_ms, status, new_shares, old_shares, amount
     from corporate_actions order by at_ms`,
    [],
  );
  return rows.map((row) => ({
    id: row.action_id,
    pair: pairId(row.pair),
    atMs: Number(row.at_ms),
    announcedAtMs: Number(row.announced_at_ms),
    isCancelled: row.status === "cancelled",
    factor: (row.old_shares ?? 1) / (row.new_shares ?? 1),
    amount: row.amount ?? 0,
  }));
}

/**
 * The quote as it is, and converted to the scale before and after every announced action. An account that has not had
 * an action yet values its positions in the earlier scale. @rule D11.scale
 */
export function quoteInEachScale(
  quote: Quote,
  actions: readonly AnnouncedAction[],
): readonly Quote[] {
  // A board converts its last quote to the scale of a later moment.
  const scaleMs = quote.adjustedToMs ?? quote.atMs;
  const own = actions.filter(({ pair, isCancelled }) => pair === quote.pair && !isCancelled);
  const later = own.filter(({ atMs }) => atMs > scaleMs);
  const earlier = own.filter(({ atMs }) => atMs <= scaleMs).toReversed();
  return [
    quote,
    ...chain(quote, later, (level, { factor, amount }) => level * factor - amount),
    ...chain(quote, earlier, (level, { factor, amount }) => (level + amount) / factor),
  ];
}

function chain(
  first: Quote,
  actions: readonly AnnouncedAction[],
  moved: (level: number, action: AnnouncedAction) => number,
): readonly Quote[] {
  const quotes: Quote[] = [];
  let { bid, ask } = first;
  for (const action of actions) {
    bid = price(moved(bid, action));
    ask = price(moved(ask, action));
    quotes.push({ ...first, bid, ask });
  }
  return quotes;
}
