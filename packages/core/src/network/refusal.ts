import type { Phase } from "../account/account.ts";
import type { OrderUuid, PairId } from "../ids.ts";
import type { PayoutId } from "../payouts/payout.ts";

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
  /** Only what reduces a position is carried out while the account winds down for its pro account. */
  | { readonly code: "proTransition"; readonly pair: PairId }
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
  | { readonly code: "alreadyProvisioned" }
  | { readonly code: "onProTrack"; readonly phase: Phase }
  /** Nothing comes after the phase by itself. */
  | { readonly code: "noNextPhase"; readonly phase: Phase }
  /** It is paid already, or none of the account's. */
  | { readonly code: "payoutSettled"; readonly payoutId: PayoutId };
