import {
  addUsd,
  type BracketLeg,
  type CancelReason,
  type Direction,
  type EntryOrder,
  type Event,
  type FillKind,
  type Instruments,
  lots,
  type OrderFilled,
  type PairId,
  type Phase,
  type RestingOrder,
  type Size,
  type Trailing,
  type UnixMs,
} from "@propgate/core";
import { money, percentText, priceText, sizeText } from "../../http/views/format.ts";
import { pairDisplay } from "../../http/views/pair-display.ts";

type Sentences = {
  readonly [Type in Event["type"]]: (
    event: Extract<Event, { type: Type }>,
    pairOf: (pair: PairId) => string,
  ) => string;
};

/** What happened, for people; an event without its row here does not compile. */
const SENTENCES: Sentences = {
  accountOpened: ({ terms, provisioned }) =>
    `Account of ${sizeText(terms.size)} opened on program ${terms.programId} version ${terms.programVersion}${provisioned ? "" : ", not provisioned yet"}.`,
  accountProvisioned: () => "Account provisioned: it may trade.",
  accountClosed: () => "Account closed.",
  orderPlaced: ({ order }, pairOf) => `${entryText(order, pairOf)} placed.`,
  orderEdited: ({ order }, pairOf) => `${restingText(order, pairOf)} is what the order is now.`,
  orderCancelled: ({ orderUuid, reason, detail }) =>
    `Order ${orderUuid} cancelled ${CANCEL_WORDS[reason]}${detail === null ? "" : ` (${detail})`}.`,
  stopTriggered: ({ orderUuid }) => `Stop of order ${orderUuid} passed: it rests as a limit now.`,
  trailMoved: ({ orderUuid, bestPrice }) =>
    `Trailing stop of order ${orderUuid} follows a best price of ${priceText(bestPrice)}.`,
  orderFilled: (fill, pairOf) => fillText(fill, pairOf(fill.pair)),
  legsAttached: ({ legs }, pairOf) =>
    `Attached: ${legs.map((leg) => legText(leg, pairOf)).join("; ")}.`,
  positionClosed: ({ trade }, pairOf) =>
    `${DIRECTION_WORDS[trade.direction]} position in ${pairOf(trade.pair)} ${trade.status}: realized ${money(trade.realizedPnl)}, fees ${money(trade.fees)}.`,
  dayEnded: ({ midnightMs, equity, balance }) =>
    `Day ended at ${timeText(midnightMs)}: equity ${money(equity)}, balance ${money(balance)}.`,
  carryCharged: ({ dueMs, charges }) =>
    `Carry of ${timeText(dueMs)} charged on ${counted(charges.length, "position")}: ${money(addUsd(...charges.map(({ fee }) => fee)))}.`,
  challengePassed: ({ by, equity }) =>
    `Evaluation passed ${by === "target" ? "by its target" : "by the operator's word"} at an equity of ${money(equity)}: the account is funded.`,
  proOffered: ({ terms, transitionEndsAtMs }) =>
    `Pro account of ${sizeText(terms.size)} offered; it starts at ${timeText(transitionEndsAtMs)}.`,
  proStarted: ({ terms, phase }) =>
    `Pro account of ${sizeText(terms.size)} started: ${PHASE_WORDS[phase]}.`,
  proPromoted: ({ by, profit }) =>
    `Pro account funded ${by === "objectives" ? "by its objectives" : "by the operator's word"} at a profit of ${money(profit)}.`,
  drawdownDeepened: ({ maxDrawdown }) =>
    `Deepest drawdown of the pro account so far: ${percentText(maxDrawdown)}.`,
  softBreached: ({ dayStartMs }) =>
    `The day of ${dateText(dayStartMs)} was beyond a target: its week is held.`,
  cycleClosed: ({ periodStartMs, periodEndMs, profit, isHeld, payout }) =>
    `Cycle from ${timeText(periodStartMs)} to ${timeText(periodEndMs)} closed at a profit of ${money(profit)}: ${cycleEnd(isHeld, payout)}.`,
  deferralForfeited: ({ amount }) => `Withheld rewards of ${money(amount)} forfeited.`,
  payoutRecorded: ({ payout: { id, amount, payment } }) =>
    `Payout ${id} of ${money(amount)} recorded as ${payment.status}${payment.reference === null ? "" : `, reference ${payment.reference}`}.`,
  accountEliminated: ({ elimination: { reason, drawdownPct } }) =>
    `Account eliminated: ${reason}${drawdownPct === null ? "" : ` at ${percentText(drawdownPct / 100)} of drawdown`}.`,
};

/** One sentence about an event, with money to the cent and pairs as they are shown. */
export function eventSentence(event: Event, instruments: Instruments): string {
  return sentenceOf(SENTENCES, event, (pair) => pairDisplay(instruments, pair));
}

/** The row of the table that fits the event: its type is the key of both. */
function sentenceOf<Type extends Event["type"]>(
  sentences: {
    readonly [Row in Type]: (
      event: Extract<Event, { type: Row }>,
      pairOf: (pair: PairId) => string,
    ) => string;
  },
  event: Extract<Event, { type: Type }>,
  pairOf: (pair: PairId) => string,
): string {
  return sentences[event.type](event, pairOf);
}

const DIRECTION_WORDS: Readonly<Record<Direction, string>> = { long: "Long", short: "Short" };

const CANCEL_WORDS: Readonly<Record<CancelReason, string>> = {
  owner: "as asked",
  positionClosed: "with its position",
  refusedAtFill: "because it could not be filled",
  accountEnded: "with the account",
  phaseEnded: "with the phase",
  proTransition: "because the account moves to its pro account",
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

function fillText(fill: OrderFilled, pair: string): string {
  const { direction, quantity, price, value, fee, realizedPnl, effect, bindingCap } = fill;
  const isExit = effect === "reduce" || effect === "close";
  const parts = [
    `${direction === "long" ? "Bought" : "Sold"} ${lotsText(lots(quantity))} of ${pair} at ${priceText(price)} (${money(value)}) ${FILL_WORDS[fill.kind]}: ${EFFECT_WORDS[effect]}`,
    ...(isExit ? [`realized ${money(realizedPnl)}`] : []),
    `fee ${money(fee)}`,
    ...(bindingCap === null ? [] : [`limited by ${bindingCap}`]),
  ];
  return `${parts.join(", ")}.`;
}

function restingText(order: RestingOrder, pairOf: (pair: PairId) => string): string {
  return order.kind === "bracket" ? legText(order, pairOf) : entryText(order, pairOf);
}

function entryText(order: EntryOrder, pairOf: (pair: PairId) => string): string {
  const kind = order.kind === "limit" ? "limit" : "stop-limit";
  const stop =
    order.kind === "limit"
      ? ""
      : ` once the price is at ${priceText(order.stopPrice)} or ${order.stopCondition === "gte" ? "above" : "below"}`;
  return `${DIRECTION_WORDS[order.direction]} ${kind} order for ${sizeWords(order.size)} of ${pairOf(order.pair)} at ${priceText(order.limitPrice)}${stop}`;
}

function legText(leg: BracketLeg, pairOf: (pair: PairId) => string): string {
  const parts = [
    ...(leg.stopLoss === null ? [] : [`stop ${priceText(leg.stopLoss)}`]),
    ...(leg.takeProfit === null ? [] : [`target ${priceText(leg.takeProfit)}`]),
    ...(leg.trailing === null ? [] : [trailText(leg.trailing)]),
  ];
  return `${parts.join(", ")} on the ${leg.direction} position in ${pairOf(leg.pair)}`;
}

function trailText(trailing: Trailing): string {
  const behind =
    trailing.kind === "percent" ? percentText(trailing.ratio) : priceText(trailing.value);
  return `stop trailing ${behind} behind`;
}

function sizeWords(size: Size): string {
  switch (size.kind) {
    case "leverage":
      return `${size.leverage}x`;
    case "value":
      return money(size.value);
    case "quantity":
      return lotsText(size.lots);
  }
}

function cycleEnd(
  isHeld: boolean,
  payout: Extract<Event, { type: "cycleClosed" }>["payout"],
): string {
  if (payout !== null) return `${money(payout.amount)} to be paid`;
  return isHeld ? "held, nothing is paid" : "nothing to pay";
}

function lotsText(count: number): string {
  return count === 1 ? "1 lot" : `${count} lots`;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** `2026-01-05 00:00 UTC` */
function timeText(atMs: UnixMs): string {
  return `${new Date(atMs).toISOString().slice(0, "YYYY-MM-DDTHH:MM".length).replace("T", " ")} UTC`;
}

function dateText(atMs: UnixMs): string {
  return new Date(atMs).toISOString().slice(0, "YYYY-MM-DD".length);
}
