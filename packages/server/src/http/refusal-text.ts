import type { Refusal } from "@propgate/core";

const MS_PER_SECOND = 1000;

type Texts = {
  readonly [Code in Refusal["code"]]: (refusal: Extract<Refusal, { code: Code }>) => string;
};

/** What each refusal says to the author of a bot: the pair, the limit, the number. @rule D5.refusal */
const TEXTS: Texts = {
  accountNotReady: () => "Account is not ready for trading (missing subaccount_id)",
  accountEliminated: () => "The account is eliminated and takes no orders",
  accountClosed: () => "The account is closed and takes no orders",
  accountExists: () => "The account exists already",
  alreadyProvisioned: () => "The account is provisioned already",
  onProTrack: () => "The account is on the pro track already",
  noNextPhase: ({ phase }) => `Nothing comes after the phase ${phase} by itself`,
  payoutSettled: ({ payoutId }) =>
    `The payout ${payoutId} is paid already, or is not the account's`,
  unknownPair: ({ pair }) => `'trade_pair' ${pair} is not a known pair`,
  blockedPair: ({ pair }) => `'trade_pair' ${pair} is blocked from trading`,
  pairOutsideClass: ({ pair, accountClass }) =>
    `'trade_pair' ${pair} is outside the account's asset class ${accountClass}`,
  marketClosed: ({ pair }) => `The market for ${pair} is closed`,
  noFreshQuote: ({ pair }) => `There is no fresh quote for ${pair}; try again shortly`,
  noConversionRate: ({ currency }) =>
    `There is no price yet to convert ${currency} to USD; try again shortly`,
  cooldown: ({ pair, waitMs }) =>
    `Orders on ${pair} are cooling down; wait ${Math.ceil(waitMs / MS_PER_SECOND)} s`,
  tooManyRestingOrders: ({ most }) =>
    `The account already has ${most} resting orders, the most it may have`,
  proTransition: ({ pair }) =>
    `The account is moving to its pro account: orders may only reduce what is open, and ${pair} would be opened or added to`,
  noRoom: ({ pair, cap }) => `There is no room left for ${pair}: ${cap}`,
  sizeBelowGrid: ({ pair, step }) =>
    `The size is too small for ${pair}: its smallest step is ${step}`,
  positionTooSmall: ({ pair, least }) =>
    `The resulting position in ${pair} would be below the least, ${least}`,
  wrongSide: ({ leg, field, price, entryPrice, mustBe }) =>
    `${legPrefix(leg)}'${LEG_FIELDS[field]}' ${price} must be ${mustBe} the entry price ${entryPrice}`,
  noPosition: ({ pair }) => `There is no open position in ${pair}`,
  unknownOrder: ({ orderUuid }) => `'order_uuid' ${orderUuid} is not a resting order`,
  unknownPosition: ({ positionUuid }) => `'order_uuid' ${positionUuid} is not an open position`,
  pairMismatch: ({ orderUuid, pair }) =>
    `'trade_pair' ${pair} is not the pair of order ${orderUuid}`,
  kindMismatch: ({ orderUuid, isKind }) =>
    `Order ${orderUuid} is a ${isKind} order and cannot be edited into another kind`,
};

const LEG_FIELDS = { stopLoss: "stop_loss", takeProfit: "take_profit" } as const;

/** `listed`: the legs came in `bracket_orders`, so a text may point at one of them. */
export function refusalText(refusal: Refusal, legs: "listed" | "topLevel"): string {
  return refusal.code === "wrongSide" && legs === "topLevel"
    ? textOf(TEXTS, { ...refusal, leg: null })
    : textOf(TEXTS, refusal);
}

/** The row of the table that fits the refusal: the code is the key of both. */
function textOf<Code extends Refusal["code"]>(
  texts: { readonly [Row in Code]: (refusal: Extract<Refusal, { code: Row }>) => string },
  refusal: Extract<Refusal, { code: Code }>,
): string {
  return texts[refusal.code](refusal);
}

function legPrefix(leg: number | null): string {
  return leg === null ? "" : `bracket_orders[${leg}]: `;
}
