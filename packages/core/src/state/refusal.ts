import type { OrderUuid, PairId } from "../ids.ts";
import type { MicroUsd, Price } from "../units.ts";
import type { Phase } from "./account.ts";
import type { ExposureCap } from "./exposure-cap.ts";
import type { Direction, PendingOrder, TrailingDistance } from "./order.ts";
import type { PayoutId } from "./payout.ts";
import type { Size } from "./requested-size.ts";

/**
 * A price of an order, with its field. `leg` is the index of its leg in the request; null for a price of the order
 * itself.
 */
export interface NamedPrice {
  readonly field: "limitPrice" | "stopPrice" | "stopLoss" | "takeProfit" | "trailing";
  readonly leg: number | null;
  readonly price: Price;
}

/** A price or a trailing distance, as the order named it. */
export interface SentPrice extends Omit<NamedPrice, "price"> {
  readonly price: number;
}

/** The reason why a position cannot be closed at present. */
export type StayReason =
  | { readonly code: "marketClosed" }
  | { readonly code: "noFreshQuote" }
  | { readonly code: "unknownPair" }
  | { readonly code: "noConversionRate"; readonly currency: string };

/**
 * Why the network refuses a command, as data; the service adds the text and the HTTP status. `field` names the wrong
 * field, and `leg` is the index of its leg; null for a field of the order itself or of a single leg.
 */
export type Refusal =
  | { readonly code: "accountNotReady" }
  | { readonly code: "accountEliminated" }
  | { readonly code: "accountClosed" }
  | { readonly code: "unknownPair"; readonly pair: string }
  | { readonly code: "blockedPair"; readonly pair: PairId }
  | { readonly code: "pairOutsideClass"; readonly pair: PairId; readonly accountClass: string }
  | { readonly code: "marketClosed"; readonly pair: PairId }
  | { readonly code: "noFreshQuote"; readonly pair: PairId }
  /** The service has no rate that converts the pair's quote currency to USD. */
  | { readonly code: "noConversionRate"; readonly currency: string }
  | { readonly code: "cooldown"; readonly pair: PairId; readonly waitMs: number }
  | { readonly code: "tooManyRestingOrders"; readonly most: number }
  /** A price of the order is not a multiple of the pair's step. `below` and `above` are the nearest multiples. */
  | ({
      readonly code: "priceOffTick";
      readonly pair: PairId;
      readonly step: Price;
      readonly below: Price | null;
      readonly above: Price;
    } & SentPrice)
  /** In the transition to a pro account, an order may only reduce. */
  | { readonly code: "proTransition"; readonly pair: PairId }
  /** A `reduceOnly` order without a position in the other direction. */
  | { readonly code: "nothingToReduce"; readonly pair: PairId }
  /** An order that reduces a position has legs. */
  | { readonly code: "legsOnReducing"; readonly pair: PairId }
  | { readonly code: "noRoom"; readonly pair: PairId; readonly cap: ExposureCap }
  /** `leg` is the index of the leg with this size; absent for the order's own size. */
  | {
      readonly code: "sizeBelowGrid";
      readonly pair: PairId;
      readonly step: string;
      readonly leg?: number | null;
    }
  | { readonly code: "positionTooSmall"; readonly pair: PairId; readonly least: string }
  | {
      readonly code: "wrongSide";
      readonly leg: number | null;
      readonly field: "stopLoss" | "takeProfit";
      readonly price: number;
      readonly entryPrice: number;
      readonly mustBe: "above" | "below";
    }
  /** The leg would trigger immediately, at the present quote. */
  | {
      readonly code: "wouldTrigger";
      readonly leg: number | null;
      readonly field: "stopLoss" | "takeProfit";
      readonly price: number;
      /** `mid` comes only from a network that values positions at the mid price. */
      readonly side: "bid" | "ask" | "mid";
      readonly quoted: number;
      readonly mustBe: "above" | "below";
    }
  /** The trailing distance is at least the price from which the stop would start, or the stop rounds to that price. */
  | {
      readonly code: "trailingDistance";
      readonly leg: number | null;
      readonly trailing: TrailingDistance;
      /** The price from which the trailing stop would start. */
      readonly from: number;
      readonly problem: "tooLarge" | "roundsToZero";
    }
  /** At a price of the order the account's figures would be too large to be exact. */
  | ({ readonly code: "amountTooLarge" } & NamedPrice)
  /** The position would be larger than the largest exact size. */
  | { readonly code: "amountTooLarge"; readonly field: Size["kind"]; readonly pair: PairId }
  | { readonly code: "noPosition"; readonly pair: PairId }
  /** `pair` is the pair that the request names beside the id; absent when it names none. */
  | { readonly code: "unknownOrder"; readonly orderUuid: OrderUuid; readonly pair?: PairId }
  | { readonly code: "unknownPosition"; readonly positionUuid: string; readonly pair?: PairId }
  /** Positions are open, but none of them can be closed now. */
  | {
      readonly code: "nothingClosed";
      readonly stayed: readonly { readonly pair: PairId; readonly why: StayReason }[];
    }
  /** `pair` is the pair of the order; null when another network refused and did not name it. */
  | {
      readonly code: "pairMismatch";
      readonly orderUuid: OrderUuid;
      readonly sent: PairId;
      readonly pair: PairId | null;
    }
  | {
      readonly code: "kindMismatch";
      readonly orderUuid: OrderUuid;
      readonly isKind: PendingOrder["kind"];
      readonly sentAs: PendingOrder["kind"];
    }
  /** `direction` is the direction of the order or position with this id. */
  | { readonly code: "directionMismatch"; readonly id: string; readonly direction: Direction }
  | { readonly code: "accountExists" }
  | { readonly code: "alreadyProvisioned" }
  | { readonly code: "onProTrack"; readonly phase: Phase }
  /** `least` is the smallest allowed size of a pro account: twice the size of the standard account. */
  | { readonly code: "proSizeTooSmall"; readonly least: MicroUsd }
  /** The account's phase is not one of those that the operator's call names. `phase` is the present one. */
  | { readonly code: "phaseChanged"; readonly phase: Phase }
  /**
   * The cycle in progress cannot be closed while this pair has no price that may judge the account. @rule D13.closing
   */
  | { readonly code: "cycleWaits"; readonly pair: PairId }
  /** The account is in a phase that has no next phase. */
  | { readonly code: "noNextPhase"; readonly phase: Phase }
  /** The account has no unpaid payout with this id: the payout is already paid, or belongs to another account. */
  | { readonly code: "payoutSettled"; readonly payoutId: PayoutId }
  /** The payment is more than a cent away from the payout's amount. */
  | { readonly code: "paidAmountDiffers"; readonly amount: MicroUsd };
