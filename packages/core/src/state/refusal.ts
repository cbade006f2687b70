import type { OrderUuid, PairId } from "../ids.ts";
import type { MicroUsd, Price } from "../units.ts";
import type { Phase } from "./account.ts";
import type { ExposureCap } from "./exposure-cap.ts";
import type { Direction, PendingOrder, Trailing } from "./order.ts";
import type { PayoutId } from "./payout.ts";
import type { Size } from "./requested-size.ts";

/** A price field of an order; `leg` is its index in a list of legs, else null. */
export interface NamedPrice {
  readonly field: "limitPrice" | "stopPrice" | "stopLoss" | "takeProfit" | "trailing";
  readonly leg: number | null;
  readonly price: Price;
}

/** A price or a trailing distance as the order named it. */
export interface SentPrice extends Omit<NamedPrice, "price"> {
  readonly price: number;
}

/** Why a position cannot be closed now. */
export type StayReason =
  | { readonly code: "marketClosed" }
  | { readonly code: "noFreshQuote" }
  | { readonly code: "unknownPair" }
  | { readonly code: "noConversionRate"; readonly currency: string };

/**
 * Why the network refuses a command, as data; the service adds wording and status. `field` is the
 * domain name of the wrong field, `leg` the index of its leg.
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
  /** The pair's quote currency has no rate to USD yet. */
  | { readonly code: "noConversionRate"; readonly currency: string }
  | { readonly code: "cooldown"; readonly pair: PairId; readonly waitMs: number }
  | { readonly code: "tooManyRestingOrders"; readonly most: number }
  /** A price of the order is not a multiple of the pair's step; the nearest multiples are beside it. */
  | ({
      readonly code: "priceOffTick";
      readonly pair: PairId;
      readonly step: Price;
      readonly below: Price | null;
      readonly above: Price;
    } & SentPrice)
  /** While the account winds down for its pro account, orders may only reduce. */
  | { readonly code: "proTransition"; readonly pair: PairId }
  /** A `reduce_only` order without a position in the other direction. */
  | { readonly code: "nothingToReduce"; readonly pair: PairId }
  /** A reducing order may not have legs. */
  | { readonly code: "legsOnReducing"; readonly pair: PairId }
  | { readonly code: "noRoom"; readonly pair: PairId; readonly cap: ExposureCap }
  /** `leg` is the index of the leg whose size it is; absent for the order's own size. */
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
  /** The present quote would trigger the leg immediately. */
  | {
      readonly code: "wouldTrigger";
      readonly leg: number | null;
      readonly field: "stopLoss" | "takeProfit";
      readonly price: number;
      /** `mid`: of a network that values positions at the middle. */
      readonly side: "bid" | "ask" | "mid";
      readonly quoted: number;
      readonly mustBe: "above" | "below";
    }
  /** The stop would start at zero or below, twice a short's price or above, or exactly at the price. */
  | {
      readonly code: "trailingDistance";
      readonly leg: number | null;
      readonly trailing: Trailing;
      /** The price from which it would start. */
      readonly from: number;
      readonly problem: "tooLarge" | "roundsToZero";
    }
  /** The account's figures could not be exact at a price of the order. */
  | ({ readonly code: "amountTooLarge" } & NamedPrice)
  /** The position would be larger than the largest exact size. */
  | { readonly code: "amountTooLarge"; readonly field: Size["kind"]; readonly pair: PairId }
  | { readonly code: "noPosition"; readonly pair: PairId }
  /** `pair`: the pair that the request names beside the id; absent without one. */
  | { readonly code: "unknownOrder"; readonly orderUuid: OrderUuid; readonly pair?: PairId }
  | { readonly code: "unknownPosition"; readonly positionUuid: string; readonly pair?: PairId }
  /** Positions are open, but none can be closed now. */
  | {
      readonly code: "nothingClosed";
      readonly stayed: readonly { readonly pair: PairId; readonly why: StayReason }[];
    }
  /** `pair` is the order's own; null when the network did not say it. */
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
  /** `direction` is the own one of the order or position with this id. */
  | { readonly code: "directionMismatch"; readonly id: string; readonly direction: Direction }
  | { readonly code: "accountExists" }
  | { readonly code: "alreadyProvisioned" }
  | { readonly code: "onProTrack"; readonly phase: Phase }
  /** A pro account is at least twice the standard one. */
  | { readonly code: "proSizeTooSmall"; readonly least: MicroUsd }
  /** The account is in another phase than the one that the operator saw. */
  | { readonly code: "phaseChanged"; readonly phase: Phase }
  /** The cycle in progress cannot be closed without a price of the pair. @rule D13.closing */
  | { readonly code: "cycleWaits"; readonly pair: PairId }
  /** The phase has no next phase. */
  | { readonly code: "noNextPhase"; readonly phase: Phase }
  /** The payout is paid already, or is not the account's. */
  | { readonly code: "payoutSettled"; readonly payoutId: PayoutId }
  /** The payment is more than a cent away from the payout's amount. */
  | { readonly code: "paidAmountDiffers"; readonly amount: MicroUsd };
