import type { RefusalCode } from "@propgate/contract";
import type { Refusal } from "@propgate/core";

/**
 * The API's code of each refusal; null for one that no order can get. A new code of the network does not compile until
 * it has its row here. @rule D10.refusalCodes
 */
const CODE_OF_REFUSAL: Readonly<Record<Refusal["code"], RefusalCode | null>> = {
  accountNotReady: "accountNotReady",
  accountEliminated: "eliminated",
  accountClosed: "accountClosed",
  unknownPair: "unknownPair",
  blockedPair: "blockedPair",
  pairOutsideClass: "pairOutsideClass",
  marketClosed: "marketClosed",
  noFreshQuote: "staleQuote",
  noConversionRate: "noConversionRate",
  cooldown: "cooldown",
  tooManyRestingOrders: "tooManyRestingOrders",
  priceOffTick: "priceOffTick",
  proTransition: "proTransition",
  noRoom: "noRoom",
  sizeBelowGrid: "sizeTooSmall",
  positionTooSmall: "positionTooSmall",
  wrongSide: "wrongSide",
  wouldTrigger: "wouldTrigger",
  trailingDistance: "trailingDistance",
  amountTooLarge: "amountTooLarge",
  legsOnReducing: "legsOnReducing",
  nothingToReduce: "nothingToReduce",
  noPosition: "noPosition",
  nothingClosed: "nothingClosed",
  unknownOrder: "unknownOrder",
  unknownPosition: "unknownPosition",
  pairMismatch: "pairMismatch",
  kindMismatch: "kindMismatch",
  directionMismatch: "directionMismatch",
  accountExists: null,
  alreadyProvisioned: null,
  onProTrack: null,
  proSizeTooSmall: null,
  phaseChanged: null,
  cycleWaits: null,
  noNextPhase: null,
  payoutSettled: null,
  paidAmountDiffers: null,
};

/** The contract's code of a refusal; null for a refusal that no order can get. @rule D10.refusalCodes decides */
export function refusalCode({ code }: Pick<Refusal, "code">): RefusalCode | null {
  return CODE_OF_REFUSAL[code];
}
