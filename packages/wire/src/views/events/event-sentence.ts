import { differenceText, lossRuleLabel, priceText } from "@propgate/contract";
import {
  addUsd,
  type BracketLeg,
  type CancelReason,
  type Direction,
  type EntryOrder,
  type Event,
  type FillKind,
  type Instruments,
  isObserved,
  lots,
  microUsd,
  type ObservedEvent,
  type OrderFilled,
  type PairId,
  type Payment,
  type PendingOrder,
  type Phase,
  type Size,
  type SwitchAction,
  type TrailingDistance,
  type UnixMs,
} from "@propgate/core";
import { entryPricesText, kindText } from "../../entry-kinds.ts";
import { refusalText } from "../../refusal-text.ts";
import { eliminationReason, exposureCapText, LOSS_LIMIT_WORDS } from "../../wire.ts";
import { fillDifferenceView } from "../fill-difference.ts";
import { countText, moneyText, percentText, sizeText } from "../format.ts";
import { pairDisplay } from "../pair-display.ts";
import { observedSentence } from "./observed-sentence.ts";

/** How a sentence shows pairs and prices. `sentPrice` keeps the digits of a price that a client sent. */
interface PairWords {
  readonly name: (pair: PairId) => string;
  readonly price: (pair: PairId, value: number) => string;
  readonly sentPrice: (pair: PairId, value: number) => string;
}

type Sentences = {
  readonly [Type in Event["type"]]: (
    event: Extract<Event, { type: Type }>,
    pairs: PairWords,
  ) => string;
};

/** A sentence for each kind of event; an event without a row does not compile. */
const SENTENCES: Sentences = {
  accountOpened: ({ terms, provisioned }) =>
    `Account of ${sizeText(terms.size)} opened on program ${terms.programId} version ${terms.programVersion}${provisioned ? "" : ", not provisioned yet"}.`,
  accountProvisioned: () => "Account provisioned: it may trade.",
  accountClosed: ({ forfeited }) =>
    forfeited === undefined
      ? "Account closed."
      : `Account closed. Reward of ${moneyText(forfeited)} forfeited.`,
  orderPlaced: ({ order }, pairs) => `${entryText(order, pairs)} placed.`,
  orderEdited: ({ order }, pairs) => `Order edited: ${restingText(order, pairs)}.`,
  orderCancelled: ({ orderUuid, reason }) =>
    `Order ${orderUuid} cancelled ${CANCEL_WORDS[reason]}.`,
  orderRejected: ({ orderUuid, refusal }) =>
    `Order ${orderUuid} rejected when its price was reached: ${refusalText(refusal, "listed")}.`,
  orderHeld: ({ orderUuid }) =>
    `Order ${orderUuid} waits for the next price: this one closed its position.`,
  stopTriggered: ({ orderUuid }) =>
    `Stop of order ${orderUuid} reached: it is now a pending limit order.`,
  trailMoved: ({ orderUuid, bestPrice }) =>
    `Trailing stop of order ${orderUuid} follows a best price of ${priceText(bestPrice, { tick: null })}.`,
  orderFilled: (fill, pairs) => fillText(fill, pairs),
  legsAttached: ({ legs }, pairs) =>
    `Attached: ${legs.map((leg) => legText(leg, pairs)).join("; ")}.`,
  positionClosed: ({ trade }, pairs) =>
    `${DIRECTION_WORDS[trade.direction]} position in ${pairs.name(trade.pair)} ${trade.status}: realized ${moneyText(trade.realizedPnl)}, fees ${moneyText(trade.fees)}.`,
  dayEnded: ({ midnightMs, equity, balance }) =>
    `Day ended at ${timeText(midnightMs)}: equity ${moneyText(equity)}, balance ${moneyText(balance)}.`,
  carryCharged: ({ dueMs, charges }) =>
    `Carry of ${timeText(dueMs)} charged on ${countText(charges.length, "position")}: ${moneyText(addUsd(...charges.map(({ fee }) => fee)))}.`,
  sharesSplit: ({ pair, newShares, oldShares, dueMs, position, orders }, pairs) =>
    `Split ${newShares}:${oldShares} of ${pairs.name(pair)} at ${timeText(dueMs)}: ${position === null ? "no position" : `the position is now ${lotsText(lots(position.quantity))} at an entry of ${pairs.price(pair, position.averageEntryPrice)}`}, ${countText(orders.length, "order")} adjusted.`,
  dividendPaid: ({ pair, amount, dueMs, paid }, pairs) =>
    `Dividend of ${amount} a share of ${pairs.name(pair)} at ${timeText(dueMs)}: ${paid < 0 ? `${moneyText(microUsd(0 - paid))} paid` : `${moneyText(paid)} received`}.`,
  challengePassed: ({ by, equity }) =>
    `Evaluation passed ${by === "target" ? "by its target" : "by the operator's decision"} at an equity of ${moneyText(equity)}: the account is funded.`,
  proOffered: ({ terms, transitionEndsAtMs }) =>
    `Pro account of ${sizeText(terms.size)} offered; it starts at ${timeText(transitionEndsAtMs)}.`,
  proStarted: ({ terms, phase }) =>
    `Pro account of ${sizeText(terms.size)} started: ${PHASE_WORDS[phase]}.`,
  proPromoted: ({ by, profit }) =>
    `Pro account funded ${by === "objectives" ? "by its objectives" : "by the operator's decision"} at a profit of ${moneyText(profit)}.`,
  drawdownDeepened: ({ maxDrawdown }) =>
    `Deepest drawdown of the pro account so far: ${percentText(maxDrawdown)}.`,
  softBreached: ({ dayStartMs }) =>
    `The day of ${dateText(dayStartMs)} was beyond a target: its week is held.`,
  limitNeared: ({ rule, level, equity, floor, worst }, pairs) =>
    `${lossRuleLabel(LOSS_LIMIT_WORDS[rule].rule)} limit ${level}% used: equity ${moneyText(equity)}, floor ${moneyText(floor)}${worst === null ? "" : `, ${pairs.name(worst.pair)} at ${pairs.price(worst.pair, worst.price)}`}.`,
  cycleClosed: ({ periodStartMs, periodEndMs, profit, isHeld, payout }) =>
    `Cycle from ${timeText(periodStartMs)} to ${timeText(periodEndMs)} closed at a profit of ${moneyText(profit)}: ${cycleEnd(isHeld, payout)}.`,
  deferralForfeited: ({ amount }) => `Withheld rewards of ${moneyText(amount)} forfeited.`,
  payoutRecorded: ({ payout: { id, amount, payment } }) =>
    `Payout ${id} of ${moneyText(amount)} recorded as ${payment.status}${paymentText(payment)}.`,
  switchArmed: ({ deadlineMs, action }) =>
    `Dead man's switch armed: ${SWITCH_WORDS[action]} at ${secondText(deadlineMs)}.`,
  switchSuspended: ({ action }) =>
    `Dead man's switch suspended while the keys are paused: ${SWITCH_WORDS[action]} later.`,
  switchEnded: () => "Dead man's switch ended.",
  switchFired: ({ dueMs, action, waiting }, pairs) =>
    `Dead man's switch fired at its deadline of ${secondText(dueMs)}: ${SWITCH_WORDS[action]}${waiting.length === 0 ? "" : `; ${waiting.map(({ pair }) => pairs.name(pair)).join(", ")} at the first fresh quote`}.`,
  accountEliminated: ({ elimination: { cause, drawdownPct } }) =>
    `Account eliminated: ${eliminationReason(cause)}${drawdownPct === null ? "" : ` at ${percentText(drawdownPct / 100)} of drawdown`}.`,
};

/** One sentence about an event, with money to the cent, and with pairs and prices in the form for people. */
export function eventSentence(event: Event | ObservedEvent, instruments: Instruments): string {
  if (isObserved(event)) return observedSentence(event);
  const shown = (isSent: boolean) => (pair: PairId, value: number) =>
    priceText(value, { tick: instruments.get(pair)?.tick ?? null, isSent });
  return sentenceOf(SENTENCES, event, {
    name: (pair) => pairDisplay(instruments, pair),
    price: shown(false),
    sentPrice: shown(true),
  });
}

/** Applies the row of the table that has the event's type. */
function sentenceOf<Type extends Event["type"]>(
  sentences: {
    readonly [Row in Type]: (event: Extract<Event, { type: Row }>, pairs: PairWords) => string;
  },
  event: Extract<Event, { type: Type }>,
  pairs: PairWords,
): string {
  return sentences[event.type](event, pairs);
}

const DIRECTION_WORDS: Readonly<Record<Direction, string>> = { long: "Long", short: "Short" };

const CANCEL_WORDS: Readonly<Record<CancelReason, string>> = {
  owner: "by its owner",
  positionClosed: "with its position",
  accountEnded: "with the account",
  phaseEnded: "with the phase",
  proTransition: "because the account moves to its pro account",
  pairBlocked: "because positions in its pair can only be reduced",
  switch: "by the dead man's switch",
  corporateAction: "because a split from before it was announced late",
  roundedAway:
    "when its price was reached: the rounded sum of the shares so far was already closed",
};

const FILL_WORDS: Readonly<Record<FillKind, string>> = {
  market: "at the market",
  limit: "by a limit order",
  stopLoss: "by a stop",
  takeProfit: "by a target",
  closePair: "closing the pair",
  flatten: "closing everything",
  elimination: "because the account was eliminated",
  phaseEnd: "because the phase ended",
  cashInLieu: "in cash, because the split does not divide it",
  switch: "by the dead man's switch",
};

const SWITCH_WORDS: Readonly<Record<SwitchAction, string>> = {
  cancel: "all orders are cancelled",
  flatten: "all orders are cancelled and all positions closed",
};

const EFFECT_WORDS: Readonly<Record<OrderFilled["effect"], string>> = {
  open: "opens a position",
  add: "adds to the position",
  reduce: "reduces the position",
  close: "closes the position",
};

const PHASE_WORDS: Readonly<Record<Phase, string>> = {
  challenge: "the challenge",
  funded: "the funded account",
  proTransition: "the transition",
  proChallengeDirect: "the pro challenge",
  proChallengeFromStandard: "the pro challenge",
  proFunded: "the funded pro account",
};

function fillText(fill: OrderFilled, pairs: PairWords): string {
  const { direction, quantity, price, value, fee, realizedPnl, effect, bindingCap } = fill;
  const isExit = effect === "reduce" || effect === "close";
  const difference = differenceText(fillDifferenceView(fill));
  const parts = [
    `${direction === "long" ? "Bought" : "Sold"} ${lotsText(lots(quantity))} of ${pairs.name(fill.pair)} at ${pairs.price(fill.pair, price)} (${moneyText(value)}) ${FILL_WORDS[fill.kind]}: ${EFFECT_WORDS[effect]}`,
    ...(isExit ? [`realized ${moneyText(realizedPnl)}`] : []),
    `fee ${moneyText(fee)}`,
    ...(bindingCap === null ? [] : [`limited by ${exposureCapText(bindingCap)}`]),
    ...(fill.reduceOnly === true ? ["reduce-only"] : []),
    ...(difference === null ? [] : [difference]),
    ...(fill.rateAgeMs === undefined
      ? []
      : [`converted at a rate ${Math.round(fill.rateAgeMs / 1_000)} s old`]),
    ...(fill.legsDropped === true ? ["its legs dropped, because it reduced the position"] : []),
  ];
  return `${parts.join(", ")}.`;
}

function restingText(order: PendingOrder, pairs: PairWords): string {
  return order.kind === "bracket" ? legText(order, pairs) : entryText(order, pairs);
}

function entryText(order: EntryOrder, pairs: PairWords): string {
  const { pair, direction, kind, size } = order;
  const prices = entryPricesText(order, (price) => pairs.sentPrice(pair, price));
  const only = order.reduceOnly ? "reduce-only " : "";
  return `${DIRECTION_WORDS[direction]} ${only}${kindText(kind)} for ${sizeWords(size)} of ${pairs.name(pair)}${prices}`;
}

function legText(leg: BracketLeg, pairs: PairWords): string {
  const parts = [
    ...(leg.stopLoss === null ? [] : [`stop ${pairs.sentPrice(leg.pair, leg.stopLoss)}`]),
    ...(leg.takeProfit === null ? [] : [`target ${pairs.sentPrice(leg.pair, leg.takeProfit)}`]),
    ...(leg.trailing === null
      ? []
      : [trailText(leg.trailing, (value) => pairs.sentPrice(leg.pair, value))]),
  ];
  return `${parts.join(", ")} on the ${leg.direction} position in ${pairs.name(leg.pair)}`;
}

function trailText(trailing: TrailingDistance, distance: (value: number) => string): string {
  const behind =
    trailing.kind === "percent" ? percentText(trailing.ratio) : distance(trailing.value);
  return `stop trailing ${behind} behind`;
}

function sizeWords(size: Size): string {
  switch (size.kind) {
    case "leverage":
      return `${size.leverage}x`;
    case "value":
      return moneyText(size.value);
    case "quantity":
      return lotsText(size.lots);
  }
}

function cycleEnd(
  isHeld: boolean,
  payout: Extract<Event, { type: "cycleClosed" }>["payout"],
): string {
  if (payout !== null) return `${moneyText(payout.amount)} to be paid`;
  return isHeld ? "held, nothing is paid" : "nothing to pay";
}

function paymentText({ paidAmount, reference }: Payment): string {
  const amount = paidAmount === null ? "" : `, payment of ${moneyText(paidAmount)}`;
  return reference === null ? amount : `${amount}, reference ${reference}`;
}

function lotsText(count: number): string {
  return count === 1 ? "1 lot" : `${count} lots`;
}

/** A time as text, to the minute: `2026-01-05 00:00 UTC`. */
function timeText(atMs: UnixMs): string {
  return `${new Date(atMs).toISOString().slice(0, "YYYY-MM-DDTHH:MM".length).replace("T", " ")} UTC`;
}

/** A time as text, to the second: `2026-01-05 00:00:05 UTC`. */
function secondText(atMs: UnixMs): string {
  return `${new Date(atMs).toISOString().slice(0, "YYYY-MM-DDTHH:MM:SS".length).replace("T", " ")} UTC`;
}

function dateText(atMs: UnixMs): string {
  return new Date(atMs).toISOString().slice(0, "YYYY-MM-DD".length);
}
