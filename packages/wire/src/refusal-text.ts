import {
  dollars,
  EXACT_AMOUNT_MAX,
  lots,
  QUANTITY_MAX,
  type Refusal,
  type StayReason,
  type TrailingDistance,
} from "@propgate/core";
import { editFieldOfKind, kindText } from "./entry-kinds.ts";
import { moneyText, sizeText } from "./views/format.ts";
import { DIRECTION_WORDS, exposureCapText, operatorPhase } from "./wire.ts";

const MS_PER_SECOND = 1000;

type Texts = {
  readonly [Code in Refusal["code"]]: (refusal: Extract<Refusal, { code: Code }>) => string;
};

/**
 * The text of each refusal, for the author of a bot. It names the pair, the limit, the leg or the field that the
 * refusal is about, and the amount if there is one. @rule D5.refusal decides
 */
const REFUSAL_TEXTS: Texts = {
  accountNotReady: () => "Account is not ready for trading (missing subaccount_id)",
  accountEliminated: () => "The account is eliminated and takes no orders",
  accountClosed: () => "The account is closed and takes no orders",
  accountExists: () => "The account exists already",
  alreadyProvisioned: () => "The account is provisioned already",
  onProTrack: () => "The account is on the pro track already",
  proSizeTooSmall: (refusal) =>
    `The pro account must have at least ${sizeText(refusal.least)}, twice the standard size`,
  phaseChanged: ({ phase }) =>
    `The account is in the phase ${operatorPhase(phase)} now; read it again`,
  cycleWaits: ({ pair }) =>
    `The payout cycle cannot be closed without a fresh price of ${pair}. Try again later, or close the account with forfeit`,
  noNextPhase: ({ phase }) => `Nothing comes after the phase ${phase} by itself`,
  payoutSettled: ({ payoutId }) =>
    `The payout ${payoutId} is paid already, or is not the account's`,
  paidAmountDiffers: ({ amount }) =>
    `The paid amount must be at most a cent from ${dollars(amount)}`,
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
  tooManyRestingOrders: (refusal) =>
    `The account may have at most ${refusal.most} pending orders and legs, and this order would exceed that`,
  priceOffTick: ({ leg, field, price, pair, step, below, above }) =>
    `${legPrefix(leg)}'${PRICE_FIELDS[field]}' ${plainNumber(price)} is not a multiple of the tick ${plainNumber(step)} of ${pair}; ${nearestText(below, above)}`,
  proTransition: ({ pair }) =>
    `The account is moving to its pro account: orders may only reduce what is open, and ${pair} would be opened or added to`,
  noRoom: ({ pair, cap }) => `There is no room left for ${pair}: ${exposureCapText(cap)}`,
  sizeBelowGrid: ({ pair, step, leg = null }) =>
    `${legPrefix(leg)}The size is too small for ${pair}: its smallest step is ${step} lots`,
  positionTooSmall: (refusal) =>
    `The resulting position in ${refusal.pair} would be below the minimum, ${refusal.least}`,
  wrongSide: ({ leg, field, price, entryPrice, mustBe }) =>
    `${legPrefix(leg)}'${LEG_FIELDS[field]}' ${price} must be ${mustBe} the entry price ${entryPrice}`,
  wouldTrigger: ({ leg, field, price, side, quoted, mustBe }) =>
    `${legPrefix(leg)}'${LEG_FIELDS[field]}' ${price} must be ${mustBe} the ${side} ${quoted}, or it would trigger immediately`,
  trailingDistance: ({ leg, trailing, from, problem }) =>
    `${legPrefix(leg)}${distanceText(trailing)} ${DISTANCE_PROBLEMS[problem]} the price ${from}`,
  amountTooLarge: (refusal) =>
    "price" in refusal
      ? `${legPrefix(refusal.leg)}'${PRICE_FIELDS[refusal.field]}' ${refusal.price} is out of range: the account's figures at that price could not be counted exactly, above ${moneyText(EXACT_AMOUNT_MAX)}`
      : `'${refusal.field}' is out of range: the position in ${refusal.pair} could not be counted exactly, above ${lots(QUANTITY_MAX)} lots`,
  legsOnReducing: ({ pair }) =>
    `The order would reduce the position in ${pair}: stops and targets belong to orders that open or add. Use BRACKET to protect the position`,
  nothingToReduce: ({ pair }) =>
    `'reduce_only' needs an open position in ${pair} in the other direction`,
  nothingClosed: ({ stayed }) =>
    `Nothing could be closed: ${stayed.map(({ pair, why }) => `${pair} stays open: ${stayReasonText(why)}`).join("; ")}`,
  noPosition: ({ pair }) => `There is no open position in ${pair}`,
  unknownOrder: ({ orderUuid, pair }) =>
    `'order_uuid' ${orderUuid} is not a pending order${ofPair(pair)}`,
  unknownPosition: ({ positionUuid, pair }) =>
    `'order_uuid' ${positionUuid} is not an open position${ofPair(pair)}`,
  pairMismatch: ({ orderUuid, sent, pair }) =>
    `'trade_pair' ${sent} is not the pair of order ${orderUuid}${pair === null ? "" : `, which is ${pair}`}`,
  kindMismatch: ({ orderUuid, isKind, sentAs }) =>
    `${wrongKindText(isKind, sentAs)}: order ${orderUuid} is a ${isKind === "bracket" ? "leg" : kindText(isKind)}, and an edit keeps its kind`,
  directionMismatch: ({ id, direction }) =>
    `'order_type' ${DIRECTION_WORDS[direction === "long" ? "short" : "long"]} is not the direction of ${id}, which is ${DIRECTION_WORDS[direction]}`,
};

const DISTANCE_PROBLEMS = {
  tooLarge: "is a distance and must be smaller than",
  roundsToZero: "is too small a distance from",
} as const;

function distanceText(trailing: TrailingDistance): string {
  return trailing.kind === "percent"
    ? `'trailing_percent' ${trailing.ratio}`
    : `'trailing_value' ${plainNumber(trailing.value)}`;
}

const ofPair = (pair: string | undefined): string => (pair === undefined ? "" : ` in ${pair}`);

type Kind = Extract<Refusal, { readonly code: "kindMismatch" }>["isKind"];

/** The text about the field whose presence or absence made an edit one of another kind than its order. */
function wrongKindText(isKind: Kind, sentAs: Kind): string {
  // An edit without a price and with fields of a leg counts as an edit of a leg.
  if (sentAs === "bracket") return "'limit_price' is required";
  return isKind === "bracket" || sentAs !== "limit"
    ? `'${editFieldOfKind(sentAs)}' must not be given`
    : `'${editFieldOfKind(isKind)}' is required`;
}

const LEG_FIELDS = { stopLoss: "stop_loss", takeProfit: "take_profit" } as const;

const PRICE_FIELDS = {
  ...LEG_FIELDS,
  limitPrice: "limit_price",
  stopPrice: "stop_price",
  trailing: "trailing_value",
} as const;

/** The nearest multiples of the tick. `below` is null when it would be 0, which is not a price. */
function nearestText(below: number | null, above: number): string {
  return below === null
    ? `the smallest is ${plainNumber(above)}`
    : `the nearest are ${plainNumber(below)} and ${plainNumber(above)}`;
}

/**
 * Writes a number with up to 12 significant digits, without an exponent or thousands separators, so that a client can
 * send it back.
 */
function plainNumber(value: number): string {
  return value.toLocaleString("en-US", { useGrouping: false, maximumSignificantDigits: 12 });
}

/** Why a position stays open, as the end of a sentence. */
export function stayReasonText(why: StayReason): string {
  switch (why.code) {
    case "marketClosed":
      return "its market is closed";
    case "noFreshQuote":
      return "it has no fresh quote";
    case "noConversionRate":
      return `there is no price yet to convert ${why.currency} to USD`;
    case "unknownPair":
      return "it is not a known pair";
  }
}

/**
 * The text of a refusal. `listed`: the legs came in `bracket_orders`, so the text may name the number of a leg in this
 * list.
 */
export function refusalText(refusal: Refusal, legs: "listed" | "topLevel"): string {
  return "leg" in refusal && legs === "topLevel"
    ? textOf(REFUSAL_TEXTS, { ...refusal, leg: null })
    : textOf(REFUSAL_TEXTS, refusal);
}

/** Applies the row of the table that has the refusal's code. */
function textOf<Code extends Refusal["code"]>(
  texts: { readonly [Row in Code]: (refusal: Extract<Refusal, { code: Row }>) => string },
  refusal: Extract<Refusal, { code: Code }>,
): string {
  return texts[refusal.code](refusal);
}

function legPrefix(leg: number | null): string {
  return leg === null ? "" : `bracket_orders[${leg}]: `;
}
