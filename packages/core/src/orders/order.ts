import type { OrderUuid, PairId, PositionUuid } from "../ids.ts";
import type { Price, Quantity, Ratio, UnixMs } from "../units.ts";
import type { LegSize, Size } from "./size.ts";

export type Direction = "long" | "short";

/** A stop that follows the best price since the leg was attached. */
export type Trailing =
  /** A share of the price, 0 < x < 1. */
  | { readonly kind: "percent"; readonly ratio: Ratio }
  /** In price units, above 0. */
  | { readonly kind: "value"; readonly value: number };

/** A stop, a target or a trailing stop that an order asks to be attached to its fill. */
export interface LegRequest {
  readonly stopLoss: Price | null;
  readonly takeProfit: Price | null;
  readonly trailing: Trailing | null;
  /** Null: the whole of what is open when the leg triggers. */
  readonly size: LegSize | null;
}

interface Resting {
  readonly uuid: OrderUuid;
  readonly pair: PairId;
  readonly direction: Direction;
  readonly placedAtMs: UnixMs;
}

/** Rests until the market offers its price or a better one. */
export interface LimitOrder extends Resting {
  readonly kind: "limit";
  readonly size: Size;
  readonly limitPrice: Price;
  readonly legs: readonly LegRequest[];
}

/** Rests until the mid price passes its stop, then becomes a limit under the same uuid. */
export interface StopLimitOrder extends Resting {
  readonly kind: "stopLimit";
  readonly size: Size;
  readonly limitPrice: Price;
  readonly stopPrice: Price;
  /** `gte`: triggers when mid ≥ stop. `lte`: when mid ≤ stop. */
  readonly stopCondition: "gte" | "lte";
  readonly legs: readonly LegRequest[];
}

/** A stop and target on an open position; reduces or closes it. `direction` is the position's. */
export interface BracketLeg extends Resting, LegRequest {
  readonly kind: "bracket";
  readonly positionUuid: PositionUuid;
  /** Best price since the leg was attached (bid for a long, ask for a short); null: not trailing. */
  readonly bestPrice: Price | null;
  /** What a `bracketPct` is a share of: the position, its sibling legs' fills not deducted; else null. */
  readonly shareOf: Quantity | null;
}

export type EntryOrder = LimitOrder | StopLimitOrder;
export type RestingOrder = EntryOrder | BracketLeg;

/** Where an order is in its life; a resting one is in the account's state, the others are history. */
export type OrderStatus = "new" | "resting" | "filled" | "cancelled";

/** Every move an order can make: status, the event that moves it, the status after. @rule S3.orders */
export const ORDER_TRANSITIONS = [
  { from: "new", by: "orderFilled", to: "filled" },
  { from: "new", by: "orderPlaced", to: "resting" },
  { from: "new", by: "legsAttached", to: "resting" },
  { from: "resting", by: "orderEdited", to: "resting" },
  { from: "resting", by: "stopTriggered", to: "resting" },
  { from: "resting", by: "trailMoved", to: "resting" },
  { from: "resting", by: "orderFilled", to: "filled" },
  { from: "resting", by: "orderCancelled", to: "cancelled" },
] as const satisfies readonly {
  readonly from: OrderStatus;
  readonly by: string;
  readonly to: OrderStatus;
}[];
