import type { OrderUuid, PairId } from "../ids.ts";

/**
 * Why the network says no. Wording and status live in the service; here is only the fact.
 * `field` is the domain name of what is wrong, `leg` the index of the leg it stands in.
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
  | { readonly code: "noRoom"; readonly pair: PairId; readonly cap: string }
  | { readonly code: "sizeBelowGrid"; readonly pair: PairId; readonly step: string }
  | { readonly code: "positionTooSmall"; readonly pair: PairId; readonly least: string }
  | {
      readonly code: "wrongSide";
      readonly leg: number | null;
      readonly field: "stopLoss" | "takeProfit";
      readonly price: number;
      readonly entryPrice: number;
      readonly mustBe: "above" | "below";
    }
  | { readonly code: "noPosition"; readonly pair: PairId }
  | { readonly code: "unknownOrder"; readonly orderUuid: OrderUuid }
  | { readonly code: "unknownPosition"; readonly positionUuid: string }
  | { readonly code: "pairMismatch"; readonly orderUuid: OrderUuid; readonly pair: PairId }
  | { readonly code: "kindMismatch"; readonly orderUuid: OrderUuid; readonly isKind: string }
  | { readonly code: "accountExists" }
  | { readonly code: "alreadyProvisioned" };
