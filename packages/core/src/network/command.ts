import type { AccountId, OrderUuid, OwnerId, PairId, PositionUuid } from "../ids.ts";
import type { Direction, LegRequest } from "../orders/order.ts";
import type { LegSize, Size } from "../orders/size.ts";
import type { PayoutId, PayoutStatus } from "../payouts/payout.ts";
import type { ProTerms, Terms } from "../rules/terms.ts";
import type { Price } from "../units.ts";

/** New orders bring their uuid with them: the shell makes ids, the core never does. */
export interface PlaceMarket {
  readonly type: "placeMarket";
  readonly orderUuid: OrderUuid;
  readonly pair: PairId;
  readonly direction: Direction;
  readonly size: Size;
  readonly legs: readonly LegRequest[];
}

/** FLAT: closes the pair's position at the market. */
export interface ClosePair {
  readonly type: "closePair";
  readonly orderUuid: OrderUuid;
  readonly pair: PairId;
}

export interface PlaceLimit {
  readonly type: "placeLimit";
  readonly orderUuid: OrderUuid;
  readonly pair: PairId;
  readonly direction: Direction;
  readonly size: Size;
  readonly limitPrice: Price;
  readonly legs: readonly LegRequest[];
}

export interface PlaceStopLimit extends Omit<PlaceLimit, "type"> {
  readonly type: "placeStopLimit";
  readonly stopPrice: Price;
  readonly stopCondition: "gte" | "lte";
}

/** Attaches legs to the pair's open position: one for top-level fields, several for a list. */
export interface PlaceBracket {
  readonly type: "placeBracket";
  readonly orderUuid: OrderUuid;
  readonly pair: PairId;
  readonly legs: readonly LegRequest[];
}

/** The whole order again, under the id it has. `replacement.orderUuid` is the id to edit. */
export interface EditOrder {
  readonly type: "editOrder";
  readonly replacement: PlaceLimit | PlaceStopLimit | EditLeg;
}

/** A resting leg's new stop, target, trailing and size. */
export interface EditLeg {
  readonly type: "editLeg";
  readonly orderUuid: OrderUuid;
  readonly pair: PairId;
  readonly leg: LegRequest & { readonly size: LegSize | null };
}

export interface CancelOrders {
  readonly type: "cancelOrders";
  readonly target: "all" | readonly OrderUuid[];
  /** With `all`: only this pair's. */
  readonly pair: PairId | null;
}

export interface Flatten {
  readonly type: "flatten";
  readonly target: "all" | readonly PositionUuid[];
}

export interface OpenAccount {
  readonly type: "openAccount";
  readonly accountId: AccountId;
  readonly ownerId: OwnerId;
  readonly terms: Terms;
  readonly provisioned: boolean;
}

export interface ProvisionAccount {
  readonly type: "provisionAccount";
}

export interface CloseAccount {
  readonly type: "closeAccount";
}

export interface EliminateAccount {
  readonly type: "eliminateAccount";
  readonly reason: string;
}

/** Puts a funded account, or one in its challenge, on the pro track. */
export interface OfferPro {
  readonly type: "offerPro";
  readonly terms: ProTerms;
}

/** To the next phase, as if everything it asks for had been reached. */
export interface Promote {
  readonly type: "promote";
}

/** What the operator knows of a payment; what is null stays as it is. */
export interface RecordPayout {
  readonly type: "recordPayout";
  readonly payoutId: PayoutId;
  readonly status: PayoutStatus;
  readonly rail: string | null;
  readonly provider: string | null;
  readonly reference: string | null;
}

/** New prices have come: fill what they trigger, move trailing stops, check the live limits. */
export interface SettlePrices {
  readonly type: "settlePrices";
}

/** Time has passed: do all that fell due, in order. */
export interface PassTime {
  readonly type: "passTime";
}

export type TraderCommand =
  | PlaceMarket
  | ClosePair
  | PlaceLimit
  | PlaceStopLimit
  | PlaceBracket
  | EditOrder
  | CancelOrders
  | Flatten;

export type Command =
  | TraderCommand
  | OpenAccount
  | ProvisionAccount
  | CloseAccount
  | EliminateAccount
  | OfferPro
  | Promote
  | RecordPayout
  | SettlePrices
  | PassTime;
