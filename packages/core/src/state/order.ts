import type { OrderUuid, PairId, PositionUuid } from "../ids.ts";
import type { Quote } from "../market/quote.ts";
import type { Price, Quantity, Ratio, UnixMs } from "../units.ts";
import type { LegSize, Size } from "./requested-size.ts";

export type Direction = "long" | "short";

/** A stop that follows the best price since it was attached. */
export type Trailing =
  /** A share of the price, 0 < x < 1. */
  | { readonly kind: "percent"; readonly ratio: Ratio }
  /** In price units, above 0. */
  | { readonly kind: "value"; readonly value: number };

/** A stop, a target or a trailing stop that an order attaches to its fill. */
export interface LegRequest {
  readonly stopLoss: Price | null;
  readonly takeProfit: Price | null;
  readonly trailing: Trailing | null;
  /** Null closes the whole position when the leg triggers. */
  readonly size: LegSize | null;
}

interface Pending {
  readonly uuid: OrderUuid;
  readonly pair: PairId;
  readonly direction: Direction;
  readonly placedAtMs: UnixMs;
  /** Absent for an order that was never edited. */
  readonly editedAtMs?: UnixMs;
}

/** The fields that every kind of entry order has. */
export interface EntryRequest {
  readonly pair: PairId;
  readonly direction: Direction;
  readonly size: Size;
  readonly legs: readonly LegRequest[];
  /** When true, the order only reduces, and is cancelled when its position closes. @rule D10.reduceOnly */
  readonly reduceOnly: boolean;
}

/** Each kind of entry order with the fields that only it has. */
export interface EntryKinds {
  /** Pending until the market offers its price or a better one. */
  readonly limit: { readonly limitPrice: Price };
  /** Pending until the mid price reaches its stop, then a limit order with the same uuid. */
  readonly stopLimit: {
    readonly limitPrice: Price;
    readonly stopPrice: Price;
    /** `gte`: triggers when mid ≥ stop. `lte`: when mid ≤ stop. */
    readonly stopCondition: "gte" | "lte";
  };
}
export type EntryKind = keyof EntryKinds;

/** The kind that each command places. */
export const KIND_PLACED = {
  placeLimit: "limit",
  placeStopLimit: "stopLimit",
} as const satisfies Readonly<Record<`place${Capitalize<EntryKind>}`, EntryKind>>;

interface Entry extends Pending {
  /**
   * The quote that closed the position which this order would have reduced. The order waits for the
   * next quote, so an exit never opens the other side. Absent when it does not wait. @rule D10.oneQuote
   */
  readonly heldAt?: QuoteStamp;
}

/** Identifies a quote of the order's pair; quotes with the same stamp are the same. */
export type QuoteStamp = Pick<Quote, "bid" | "ask" | "atMs">;

/** An entry of any kind, as the trader requested it. */
export type EntryContent<Kind extends EntryKind = EntryKind> = {
  readonly [Each in Kind]: EntryRequest & { readonly kind: Each } & EntryKinds[Each];
}[Kind];

/** A pending order that opens, adds or reduces. */
export type EntryOrder<Kind extends EntryKind = EntryKind> = {
  readonly [Each in Kind]: Entry & EntryContent<Each>;
}[Kind];

/** A stop and target on an open position; reduces or closes it. `direction` is the position's. */
export interface BracketLeg extends Pending, LegRequest {
  readonly kind: "bracket";
  readonly positionUuid: PositionUuid;
  /** Best price since the leg was attached (bid for a long, ask for a short); null when it does not trail. */
  readonly bestPrice: Price | null;
  /** When `bestPrice` was recorded, and better prices count from. Absent for a leg that has never trailed. */
  readonly bestAtMs?: UnixMs;
  /** The quantity of which a `bracketPct` is a share: the position as if no other leg of the request had filled. */
  readonly shareOf: Quantity;
  /**
   * The sum of the shares of the request's legs that have acted, less the quantity that they have closed, in 0.00001
   * lots with decimals. Absent until one has acted. @rule D12.ladder
   */
  readonly residual?: number;
}

export type PendingOrder = EntryOrder | BracketLeg;
