import type { Account } from "../resources/account.ts";
import type { PendingOrder } from "../resources/pending-order.ts";
import type { PositionItem } from "../resources/position.ts";
import type { TradeItem } from "../resources/trade.ts";

/** Item of `GET accounts`: the accounts that a person may look at. */
export interface AccountChoice {
  readonly accountId: string;
  /** As the API's `evaluation.title`. */
  readonly title: string;
  /** As the API's `evaluation.status`. */
  readonly status: string;
  readonly isEliminated: boolean;
  readonly openedAtMs: number;
}

/** The market of one pair as it is now. */
export interface MarketView {
  readonly pair: string;
  /** Null: no quote yet. */
  readonly quote: { readonly bid: number; readonly ask: number; readonly atMs: number } | null;
  /** True when the quote is too old to trade on. */
  readonly isStale: boolean;
  readonly isOpen: boolean;
}

/**
 * `GET accounts/:id/state`, and each event of its stream: one state of the account at one moment,
 * every figure the one that the API gives at this version and these quotes.
 */
export interface AccountStateView {
  /** Number of the newest event in the account's journal. */
  readonly version: number;
  readonly generatedAtMs: number;
  /** `data` of GET account; null while what is open cannot be valued (the API answers 503). */
  readonly account: Account | null;
  /** `data` of GET positions. */
  readonly positions: readonly PositionItem[];
  /** `data` of GET orders. */
  readonly orders: readonly PendingOrder[];
  /** Of every pair with a position or an order. */
  readonly markets: readonly MarketView[];
  /** Closed trades so far: when it moves, there are new ones to fetch. */
  readonly trades: number;
}

/** Name of the stream's events. `GET accounts/:id/live`; its ids are `version-ms`. */
export const LIVE_EVENT = "state";
/** Sent while nothing changes, so that a page knows the stream from a dead one. */
export const BEAT_EVENT = "beat";

export const EQUITY_WINDOWS = ["1D", "1W", "1M", "all"] as const;
export type EquityWindow = (typeof EQUITY_WINDOWS)[number];

/** USD; a floor is the equity at which the limit is met, null where there is none or it is unknown. */
export interface EquityPoint {
  readonly atMs: number;
  readonly equity: number;
  readonly balance: number;
  readonly dailyFloor: number | null;
  readonly maxFloor: number | null;
}

/** `GET accounts/:id/equity?window=1D`: oldest first; the present is the last point. */
export interface EquityHistory {
  readonly window: EquityWindow;
  readonly startMs: number;
  readonly points: readonly EquityPoint[];
}

/** `GET accounts/:id/trades` */
export interface TradesView {
  readonly version: number;
  /** `data` of GET trades, newest first. */
  readonly trades: readonly TradeItem[];
}

/** Item of `GET accounts/:id/trades/:tradeId/fills`, oldest first. */
export interface FillView {
  readonly sequence: number;
  readonly atMs: number;
  readonly orderUuid: string;
  /** How it came about: `market`, `limit`, `stopLoss`, `takeProfit`, `flatten` and so on. */
  readonly kind: string;
  readonly effect: "open" | "add" | "reduce" | "close";
  /** Buying is long. */
  readonly direction: "LONG" | "SHORT";
  readonly price: number;
  readonly slippage: number;
  /** A magnitude, in the pair's lot unit. */
  readonly quantity: number;
  readonly value: number;
  readonly fee: number;
  readonly realizedPnl: number;
  readonly bindingCap: string | null;
}

/** What holding a position cost. */
export interface CarryView {
  readonly sequence: number;
  readonly atMs: number;
  readonly fee: number;
}

export interface TradeFills {
  readonly fills: readonly FillView[];
  readonly carry: readonly CarryView[];
}

/** Item of `GET accounts/:id/cycles`: every closed week, the ones that pay nothing included. */
export interface CycleView {
  readonly periodStartMs: number;
  readonly periodEndMs: number;
  /** Realized less fees, less open losses, since earning began. */
  readonly profit: number;
  /** The highest profit of any cycle before. */
  readonly mark: number;
  /** max(0, profit − mark) */
  readonly gross: number;
  /** gross × split × scale */
  readonly share: number;
  readonly splitPercent: number;
  readonly scale: number;
  /** Of earlier held weeks. */
  readonly released: number;
  readonly isHeld: boolean;
  /** In words; null when it is not held. */
  readonly heldBecause: string | null;
  /** Null when the week pays nothing. */
  readonly payoutId: string | null;
}

/** Item of `GET accounts/:id/objectives`: one a full trading day of the pro track, oldest first. */
export interface ObjectiveDay {
  readonly dayStartMs: number;
  /** Ratios; null: unknown that day. */
  readonly returnRatio: number | null;
  readonly calmar: number | null;
  readonly consistency: number | null;
  readonly tradingDays: number;
}

/** Item of `GET accounts/:id/journal?before=SEQ&limit=N`, newest first. */
export interface JournalEntry {
  readonly sequence: number;
  readonly atMs: number;
  /** The event's type, `orderFilled`. */
  readonly type: string;
  /** What happened, for people. */
  readonly summary: string;
  /** Who caused it: `key pk_…`, `owner`, `operator`, `market`, `clock`. */
  readonly by: string;
  readonly nonce: string | null;
  /** The event as it is kept; money in it is whole micro dollars. */
  readonly event: unknown;
  /** Hex; each covers all that came before. */
  readonly hash: string;
}

export interface JournalPage {
  readonly entries: readonly JournalEntry[];
  /** Pass it as `before` for the next page; null on the last one. */
  readonly before: number | null;
}

/** `POST accounts/:id/journal/verify`: the whole chain computed again. */
export interface JournalCheck {
  readonly events: number;
  /** Null: every line is as it was written. */
  readonly broken: { readonly sequence: number; readonly problem: string } | null;
}

/** `POST accounts/:id/flatten`: closes every position, as the API's FLAT_ALL does. */
export interface FlattenRequest {
  /** The account's id once more, so that no click does it alone. */
  readonly confirm: string;
}

export interface FlattenResult {
  /** The pairs that are closed now. */
  readonly closed: readonly string[];
  /** Those that could not be, and why. */
  readonly stayed: readonly { readonly pair: string; readonly why: string }[];
  readonly message: string;
}
