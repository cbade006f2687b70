import { type Linked, POSITION_TYPES, TRADE_STATUSES, type TradeItem } from "@propgate/contract";
import { sumKnownUsd, sumUsd } from "../../format/exact.ts";
import { readDay } from "../../format/times.ts";

const RESULTS = ["win", "loss"] as const;

/** The filter in the page's URL. A field that is absent does not filter. Days are UTC, such as `2026-01-05`. */
export interface TradeFilter {
  readonly pair?: string;
  readonly side?: (typeof POSITION_TYPES)[number];
  readonly result?: (typeof RESULTS)[number];
  readonly status?: (typeof TRADE_STATUSES)[number];
  readonly from?: string;
  /** The last day whose trades are shown. */
  readonly to?: string;
}

/** The filter of a URL. Invalid values are left out, so that an old or mistyped link still opens. */
export function tradeFilterOf(search: Readonly<Record<string, unknown>>): TradeFilter {
  const { pair } = search;
  const side = POSITION_TYPES.find((word) => word === search.side);
  const result = RESULTS.find((word) => word === search.result);
  const status = TRADE_STATUSES.find((word) => word === search.status);
  const from = readDay(search.from);
  const to = readDay(search.to);
  return {
    ...(typeof pair === "string" && pair !== "" ? { pair } : {}),
    ...(side === undefined ? {} : { side }),
    ...(result === undefined ? {} : { result }),
    ...(status === undefined ? {} : { status }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Realized PnL less all fees, USD; null when the network did not send both. */
export function netPnlOf({ realizedPnl, totalFees }: TradeItem<Linked>): number | null {
  return realizedPnl === null || totalFees === null ? null : sumUsd([realizedPnl, -totalFees]);
}

/** True when the filter selects the trade. The days of the filter are compared with the time of the trade's close. */
export function matchesFilter(trade: TradeItem<Linked>, filter: TradeFilter): boolean {
  const { pair, side, status, from, to } = filter;
  if (pair !== undefined && trade.tradePair !== pair) return false;
  if (side !== undefined && trade.positionType !== side) return false;
  if (status !== undefined && trade.status !== status) return false;
  if (from !== undefined && trade.closeTimeMs < Date.parse(from)) return false;
  if (to !== undefined && trade.closeTimeMs >= Date.parse(to) + DAY_MS) return false;
  return hasResult(trade, filter.result);
}

function hasResult(trade: TradeItem<Linked>, result: TradeFilter["result"]): boolean {
  if (result === undefined) return true;
  const net = netPnlOf(trade);
  if (net === null) return false;
  return result === "win" ? net > 0 : net < 0;
}

export interface TradeTotals {
  readonly count: number;
  /** The percentage of trades that won. Null when there is no trade, and when the net PnL of a trade is unknown. */
  readonly winRate: number | null;
  /** The sum in USD; null when the net PnL of a trade is unknown. */
  readonly netPnl: number | null;
  readonly fees: number | null;
}

/** The number, the win rate and the sums of these trades. */
export function tradeTotals(trades: readonly TradeItem<Linked>[]): TradeTotals {
  const nets = allKnown(trades.map(netPnlOf));
  const wins = nets?.filter((net) => net > 0).length ?? null;
  return {
    count: trades.length,
    winRate: wins === null || trades.length === 0 ? null : (wins * 100) / trades.length,
    netPnl: nets === null ? null : sumUsd(nets),
    fees: sumKnownUsd(trades.map(({ totalFees }) => totalFees)),
  };
}

/** The figures; null when one of them is unknown, because a sum without it would be wrong. */
function allKnown(figures: readonly (number | null)[]): readonly number[] | null {
  const known = figures.filter((figure) => figure !== null);
  return known.length === figures.length ? known : null;
}

/** The pairs of the trades, each once, sorted by name. */
export function pairsOf(trades: readonly TradeItem<Linked>[]): readonly string[] {
  return [...new Set(trades.map(({ tradePair }) => tradePair))].sort();
}
