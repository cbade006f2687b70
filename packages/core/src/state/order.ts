import type { OrderUuid, PairId, PositionUuid } from "../ids.ts";
import type { Quote } from "../market/quote.ts";
import type { Price, Quantity, Ratio, UnixMs } from "../units.ts";
import type { LegSize, Size } from "./requested-size.ts";

export type Direction = "long" | "short";

/** The distance of a trailing stop from the best price that it has followed. */
export type TrailingDistance =
  /** A fraction of the price, between 0 and 1. */
  | { readonly kind: "percent"; readonly ratio: Ratio }
  /** A difference of prices, above 0. */
  | { readonly kind: "value"; readonly value: number };

/** A leg as a request describes it: a stop, a target or a trailing stop, or several of them. */
export interface LegRequest {
  readonly stopLoss: Price | null;
  readonly takeProfit: Price | null;
  readonly trailing: TrailingDistance | null;
  /** The size that the leg closes; null when it closes the whole position. */
  readonly size: LegSize | null;
}

interface PendingFields {
  readonly uuid: OrderUuid;
  readonly pair: PairId;
  readonly direction: Direction;
  readonly placedAtMs: UnixMs;
  /** The time of the last edit that changed the order; absent when no edit has changed it. */
  readonly editedAtMs?: UnixMs;
}

/** The fields that every kind of entry order has. */
export interface EntryRequest {
  readonly pair: PairId;
  readonly direction: Direction;
  readonly size: Size;
  readonly legs: readonly LegRequest[];
  /** When true, the order only reduces a position, and is cancelled when that position closes. @rule D10.reduceOnly */
  readonly reduceOnly: boolean;
}

/** For each kind of entry order, the fields that only orders of this kind have. */
export interface EntryKinds {
  /** Stays pending until the market offers its price or a better one. */
  readonly limit: { readonly limitPrice: Price };
  /** Stays pending until the mid price reaches its stop; from then on it is a limit order with the same uuid. */
  readonly stopLimit: {
    readonly limitPrice: Price;
    readonly stopPrice: Price;
    /** `gte` triggers when mid ≥ stop, `lte` when mid ≤ stop. */
    readonly stopCondition: "gte" | "lte";
  };
}
export type EntryKind = keyof EntryKinds;

/** The kind of entry that each command places. */
export const KIND_PLACED = {
  placeLimit: "limit",
  placeStopLimit: "stopLimit",
} as const satisfies Readonly<Record<`place${Capitalize<EntryKind>}`, EntryKind>>;

interface EntryFields extends PendingFields {
  /**
   * The quote that closed the position which this order would have reduced. The order waits for the next quote, so that
   * it does not open a position in the other direction at that quote. Absent when the order does not wait.
   * @rule D10.exitHeld
   */
  readonly heldAt?: QuoteStamp;
}

/** Identifies a quote of the order's pair. Two quotes with the same stamp count as the same quote. */
export type QuoteStamp = Pick<Quote, "bid" | "ask" | "atMs">;

/** An entry of any kind, as the trader requested it. */
export type EntryContent<Kind extends EntryKind = EntryKind> = {
  readonly [Each in Kind]: EntryRequest & { readonly kind: Each } & EntryKinds[Each];
}[Kind];

/** A pending order that opens, adds or reduces. */
export type EntryOrder<Kind extends EntryKind = EntryKind> = {
  readonly [Each in Kind]: EntryFields & EntryContent<Each>;
}[Kind];

/**
 * A pending leg of an open position: a stop, a target or both. It reduces or closes the position. `direction` is the
 * direction of the position.
 */
export interface BracketLeg extends PendingFields, LegRequest {
  readonly kind: "bracket";
  readonly positionUuid: PositionUuid;
  /**
   * The best price that the trailing stop has followed (bid for a long, ask for a short); null when the leg does not
   * trail.
   */
  readonly bestPrice: Price | null;
  /**
   * When `bestPrice` was recorded. Only prices from after this time can replace it. Absent for a leg that has never
   * trailed.
   */
  readonly bestAtMs?: UnixMs;
  /** The quantity of which a `bracketPct` is a share: the position as if no leg of the same request had filled. */
  readonly shareOf: Quantity;
  /**
   * The sum of the shares of the request's legs that have acted, less the quantity that those legs have closed. It is a
   * number of 0.00001 lots, with decimals. Absent until one of them has acted. @rule D12.ladder
   */
  readonly residual?: number;
}

/** An order that exists and has not been filled: an entry or a leg. */
export type PendingOrder = EntryOrder | BracketLeg;
