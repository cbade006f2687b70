import type { Account } from "../resources/account.ts";
import type { CandleItem } from "../resources/candle.ts";
import type { FillItem } from "../resources/order-history.ts";
import type { PendingOrder } from "../resources/pending-order.ts";
import type { PositionItem } from "../resources/position.ts";
import type { TradeItem } from "../resources/trade.ts";
import type { Linked } from "../schema.ts";
import type { LossRuleWord, NetworkWord } from "../words.ts";

/**
 * The maximum number of items of `GET accounts`, by the role of the person. When there are more, the newest accounts
 * are answered.
 */
export const ACCOUNT_CHOICES_MAX = { owner: 200, operator: 50 } as const;

/** Item of `GET accounts`: an account that the person may look at. */
export interface AccountChoice {
  readonly accountId: string;
  readonly network: NetworkWord;
  /** Equals the API's `evaluation.title`. */
  readonly title: string;
  /** Equals the API's `evaluation.status`. */
  readonly status: string;
  readonly isEliminated: boolean;
  /** True when the account was closed permanently. Its keys then read nothing but its payouts. */
  readonly isClosed: boolean;
  readonly openedAtMs: number;
}

/** The current market of one pair. */
export interface MarketView {
  readonly pair: string;
  /** The newest quote of the pair; null before the first one. */
  readonly quote: { readonly bid: number; readonly ask: number; readonly atMs: number } | null;
  /** True when the quote is not fresh, when there is none, and when the pair has left the catalogue. */
  readonly isStale: boolean;
  readonly isOpen: boolean;
}

/**
 * `GET accounts/:id/state`, and each event of its stream: the account at one moment. Every figure equals the figure of
 * the signed API at this version and these quotes. @rule S1.dashboard
 */
export interface AccountStateView {
  /**
   * The account's network. For an account on `vanta`, this service has no markets, and its journal has no decisions,
   * only what was observed at the validator.
   */
  readonly network: NetworkWord;
  /** Number of the newest event in the account's journal. */
  readonly version: number;
  readonly generatedAtMs: number;
  /** True when the account was closed permanently. The signed API answers 404; the figures are those of its end. */
  readonly isClosed: boolean;
  /** `data` of GET account; null while the open positions cannot be valued (the API answers 503). */
  readonly account: Account<Linked> | null;
  /** `data` of GET positions. */
  readonly positions: readonly PositionItem<Linked>[];
  /** `data` of GET orders. */
  readonly orders: readonly PendingOrder[];
  /** The markets of all pairs with a position or an order. */
  readonly markets: readonly MarketView[];
  /** The number of closed trades; when it grows, the page fetches the new trades. */
  readonly trades: number;
}

/** `GET ticks`: the tick of each pair, by the pair's id. */
export type TicksView = Readonly<Record<string, number>>;

/** `GET candles`: the answer of the API's GET candles to the same query. */
export type CandlesView = readonly CandleItem[];

/**
 * The name of the events of `GET accounts/:id/live`. Their ids are `version-ms`: the account's version and the time of
 * the answer.
 */
export const LIVE_EVENT = "state";
/** The name of the event that is sent while the account does not change, so that a page notices a broken stream. */
export const BEAT_EVENT = "beat";

/** The windows of `GET accounts/:id/equity`: a day, a week, a month, or the whole time since the opening. */
export const EQUITY_WINDOWS = ["1D", "1W", "1M", "all"] as const;
export type EquityWindow = (typeof EQUITY_WINDOWS)[number];

/** The lowest equity that is not a breach, by limit, USD. */
export type LimitFloors = Readonly<Partial<Record<LossRuleWord, number>>>;

/** The equity, the balance and the floors of an account at one moment, in USD. */
export interface EquityPoint {
  readonly atMs: number;
  readonly equity: number;
  readonly balance: number;
  /** The floor of each limit that bound the account at that moment; empty when none did. */
  readonly floors: LimitFloors;
}

/**
 * `GET accounts/:id/equity?window=1D`: oldest first. The last point is the present state, or the account's end: its
 * elimination, with the floors of that moment, or its closing, without floors.
 */
export interface EquityHistory {
  readonly window: EquityWindow;
  readonly startMs: number;
  /** When the account was eliminated or closed, the earlier of the two; null while it lives. */
  readonly endedAtMs: number | null;
  readonly points: readonly EquityPoint[];
}

/** `GET accounts/:id/trades`: all closed trades. */
export interface TradesView {
  readonly version: number;
  /** `data` of GET trades, newest first. */
  readonly trades: readonly TradeItem<Linked>[];
}

/**
 * Item of `GET accounts/:id/trades/:tradeId/fills`, oldest first. On `embedded` only `bindingCap`, `shortfall`,
 * `excess` and `rateAgeMs` can be null. A validator may leave every figure out, and never sends the slippage, fee,
 * result or cap of a single fill.
 */
export interface FillView {
  /**
   * Number of the fill's event in the journal; on `vanta` the fill's position in the list of the position's fills, from
   * 1.
   */
  readonly sequence: number;
  readonly atMs: number;
  readonly orderUuid: string;
  /** The cause of the fill: `market`, `limit`, `stopLoss`, `takeProfit`, `flatten` and so on. */
  readonly kind: string | null;
  readonly effect: "open" | "add" | "reduce" | "close" | null;
  /** The direction of the fill itself: `LONG` buys, `SHORT` sells. */
  readonly direction: "LONG" | "SHORT" | null;
  readonly price: number | null;
  readonly slippage: number | null;
  /** The filled size in the pair's lot unit, never negative. */
  readonly quantity: number | null;
  readonly value: number | null;
  readonly fee: number | null;
  readonly realizedPnl: number | null;
  readonly bindingCap: string | null;
  /** How the fill differs from its order's size; null when it does not. @rule D12.shortfall */
  readonly shortfall: FillItem["data"]["shortfall"];
  readonly excess: FillItem["data"]["excess"];
  /** The age in milliseconds of the conversion rate, when an exit used a stale one; null otherwise. */
  readonly rateAgeMs: number | null;
}

/**
 * One charge of carry on a position, or a dividend, whose `fee` is below zero when the account receives it. On `vanta`
 * any fee of the position.
 */
export interface CarryView {
  /**
   * Number of the event of the charge or dividend in the journal; on `vanta` the fee's position in the list of the
   * position's fees, from 1.
   */
  readonly sequence: number;
  readonly atMs: number;
  /** Only on `vanta`: `transaction`, `carry`, `interest` and so on; null when it is unknown. */
  readonly kind?: string | null;
  readonly fee: number;
}

/**
 * The answer of `GET accounts/:id/trades/:tradeId/fills`: the fills of a trade, and the charges and dividends of its
 * position.
 */
export interface TradeFills {
  readonly fills: readonly FillView[];
  /** Oldest first; null when the network did not send it. */
  readonly carry: readonly CarryView[] | null;
}

/** Item of `GET accounts/:id/cycles`: one item for each closed cycle, including those without a payout. */
export interface CycleView {
  readonly periodStartMs: number;
  readonly periodEndMs: number;
  /** The lesser of balance and equity at the end of the cycle, minus the account's size. */
  readonly profit: number;
  /**
   * The profit of this cycle alone: `profit` less the profit at the end of the cycle before. For the first cycle since
   * the account began to earn, it is `profit` less `mark`.
   */
  readonly weekProfit: number;
  /** The payout mark: the highest profit at the end of an earlier cycle or at a promotion, at least 0. */
  readonly mark: number;
  /** max(0, `profit` − `mark`). */
  readonly gross: number;
  /** `gross` × split × `scale`, the trader's part. */
  readonly share: number;
  readonly splitPercent: number;
  readonly scale: number;
  /** The shares of earlier cycles that were held and are paid with this cycle. */
  readonly released: number;
  readonly isHeld: boolean;
  /** Why the payout is held; null when it is not held. */
  readonly heldBecause: string | null;
  /** The id of the cycle's payout; null when the cycle has no payout. */
  readonly payoutId: string | null;
}

/** Item of `GET accounts/:id/objectives`: one item for each full day of the pro track, oldest first. */
export interface ObjectiveDay {
  readonly dayStartMs: number;
  /** The return, the Calmar ratio and the consistency at the end of that day, each null when it is unknown. */
  readonly returnRatio: number | null;
  readonly calmar: number | null;
  readonly consistency: number | null;
  readonly tradingDays: number;
}

/** Item of `GET accounts/:id/journal?before=SEQ&limit=N`, newest first. */
export interface JournalEntry {
  readonly sequence: number;
  readonly atMs: number;
  /** The event's type, such as `orderFilled`. */
  readonly type: string;
  /** The event as a sentence. */
  readonly summary: string;
  /** The cause of the event: `key pk_…`, `owner`, `operator`, `market`, `clock`, `validator`. */
  readonly by: string;
  readonly nonce: string | null;
  /**
   * The stored event. Its amounts of money are whole micro dollars; those of an event that was observed at a validator
   * are dollars.
   */
  readonly event: unknown;
  /** Hex; each hash covers all events before it. */
  readonly hash: string;
}

/** The answer of `GET accounts/:id/journal`. `before` continues with older lines; null on the last page. */
export interface JournalPage {
  readonly entries: readonly JournalEntry[];
  /** Pass it as `before` for the next page; null on the last one. */
  readonly before: number | null;
}

/**
 * `GET accounts/:id/journal/export?after=SEQ&limit=N` answers the journal's file, with one JSON text in each line. With
 * `after` or `limit` it answers only the lines after line `after`. With `after=0` the account's head comes before them.
 */
export const JOURNAL_EXPORT = "journal/export";

/** `POST accounts/:id/journal/verify`: recomputes the whole chain. */
export interface JournalCheck {
  readonly events: number;
  /** The first altered event; null when no event was altered. */
  readonly broken: { readonly sequence: number; readonly problem: string } | null;
}

/** `POST accounts/:id/flatten`: closes every position, as the API's FLAT_ALL does. */
export interface FlattenRequest {
  /** The account's id, which the person types to confirm. */
  readonly confirm: string;
}

/** The answer of `POST accounts/:id/flatten`: the pairs that were closed, and those that stay open with the reason. */
export interface FlattenResult {
  /** The pairs whose positions were closed. */
  readonly closed: readonly string[];
  /** The pairs whose positions could not be closed, and why. */
  readonly stayed: readonly { readonly pair: string; readonly why: string }[];
  readonly message: string;
}
