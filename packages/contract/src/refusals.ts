import type { RetryClass } from "./errors/errors.ts";

/**
 * Why the trading network refused an order, as one word. The texts of a 400 may be reworded within
 * v1; these codes do not change, and new ones may be added. @rule D10.refusalCodes
 */
export const REFUSAL_CODES = [
  "accountNotReady",
  "eliminated",
  "accountClosed",
  "unknownPair",
  "blockedPair",
  "pairOutsideClass",
  "marketClosed",
  "staleQuote",
  "noConversionRate",
  "cooldown",
  "tooManyRestingOrders",
  "priceOffTick",
  "proTransition",
  "noRoom",
  "sizeTooSmall",
  "positionTooSmall",
  "wrongSide",
  "wouldTrigger",
  "trailingDistance",
  "amountTooLarge",
  "legsOnReducing",
  "nothingToReduce",
  "noPosition",
  "nothingClosed",
  "unknownOrder",
  "unknownPosition",
  "pairMismatch",
  "kindMismatch",
  "directionMismatch",
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** The meaning of a refusal code, and when a client may send the order again. */
export interface RefusalRow {
  /** The cause, for the reference page. */
  readonly cause: string;
  /** When the same order may be accepted. */
  readonly retry: RetryClass;
}

/** The meaning of each code, for the reference page, programs and agents. */
export const REFUSALS: Readonly<Record<RefusalCode, RefusalRow>> = {
  accountNotReady: {
    cause: "The account is not yet provisioned on the trading network.",
    retry: "withBackoff",
  },
  eliminated: { cause: "The account is eliminated and takes no orders.", retry: "never" },
  accountClosed: { cause: "The account is closed and takes no orders.", retry: "never" },
  unknownPair: { cause: "`trade_pair` is not a known pair.", retry: "afterFixing" },
  blockedPair: { cause: "The pair is blocked from trading.", retry: "never" },
  pairOutsideClass: {
    cause: "The pair is outside the account's asset class.",
    retry: "afterFixing",
  },
  marketClosed: {
    cause: "The pair's market is closed; `changesAtMs` of GET instruments says until when.",
    retry: "withBackoff",
  },
  staleQuote: {
    cause: "The pair, or the pair that converts its prices to USD, has no fresh quote.",
    retry: "withBackoff",
  },
  noConversionRate: {
    cause: "The pair's quote currency has no price in USD yet.",
    retry: "withBackoff",
  },
  cooldown: {
    cause:
      "The account must wait before its next order on the pair; the text names the remaining time.",
    retry: "withBackoff",
  },
  tooManyRestingOrders: {
    cause: "The account has its maximum number of pending orders and legs.",
    retry: "afterFixing",
  },
  priceOffTick: {
    cause: "A price or trailing distance is not a multiple of the pair's `priceStep`.",
    retry: "afterFixing",
  },
  proTransition: {
    cause: "The account is moving to its pro account: orders may only reduce positions.",
    retry: "afterFixing",
  },
  noRoom: {
    cause: "A leverage cap allows no further size; the text names the cap.",
    retry: "afterFixing",
  },
  sizeTooSmall: {
    cause: "The size rounds to zero on the pair's quantity step.",
    retry: "afterFixing",
  },
  positionTooSmall: {
    cause: "The resulting position would be below the pair's minimum position size.",
    retry: "afterFixing",
  },
  wrongSide: {
    cause: "A stop or target is on the wrong side of the entry price.",
    retry: "afterFixing",
  },
  wouldTrigger: {
    cause: "The present quote would trigger the stop or target immediately.",
    retry: "afterFixing",
  },
  trailingDistance: {
    cause: "A trailing distance is not below the price, or is so small that it rounds to zero.",
    retry: "afterFixing",
  },
  amountTooLarge: {
    cause:
      "The prices or the size of the order would make figures of the account or position too large to be exact.",
    retry: "afterFixing",
  },
  legsOnReducing: {
    cause: "The order would only reduce a position, so legs cannot be attached to it.",
    retry: "afterFixing",
  },
  nothingToReduce: {
    cause: "`reduce_only` is set, and the pair has no opposite position.",
    retry: "afterFixing",
  },
  noPosition: { cause: "The pair has no open position.", retry: "afterFixing" },
  nothingClosed: {
    cause: "No position could be closed; the text names each pair and its reason.",
    retry: "withBackoff",
  },
  unknownOrder: { cause: "`order_uuid` is not a pending order.", retry: "afterFixing" },
  unknownPosition: { cause: "`order_uuid` is not an open position.", retry: "afterFixing" },
  pairMismatch: {
    cause: "`trade_pair` is not the pair of the order that `order_uuid` names.",
    retry: "afterFixing",
  },
  kindMismatch: {
    cause: "An edit cannot change the kind of an order.",
    retry: "afterFixing",
  },
  directionMismatch: {
    cause: "`order_type` is not the direction of the order or position that the request names.",
    retry: "afterFixing",
  },
};

/** True for a code of this version; a newer service may have more codes. */
export function isRefusalCode(text: unknown): text is RefusalCode {
  const codes: readonly unknown[] = REFUSAL_CODES;
  return codes.includes(text);
}
