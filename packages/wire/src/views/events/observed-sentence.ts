import {
  type EventData,
  type EventOrder,
  type EventType,
  type Linked,
  type PositionType,
  priceText,
} from "@propgate/contract";
import { type ObservedEvent, roundUsd } from "@propgate/core";
import { countText, moneyText, percentText } from "../format.ts";
import { eventTypeWord } from "./event-views.ts";

type Sentences = {
  readonly [Type in EventType]?: (data: EventData<Type, Linked>) => string;
};

/** A sentence for each type that a reading can show; what the validator did not send is left out. */
const SENTENCES: Sentences = {
  "account.opened": ({ size }) => `Account${amountText(" of ", size)} linked.`,
  "account.provisioned": () => "Account provisioned: it may trade.",
  "account.closed": () => "Account unlinked.",
  "account.eliminated": ({ reason, drawdownPct }) =>
    `Account eliminated${reason === null ? "" : `: ${reason}`}${drawdownPct === null ? "" : ` at ${percentText(drawdownPct / 100)} of drawdown`}.`,
  "order.resting": ({ order }) => `${orderText(order)} placed.`,
  "order.edited": ({ order }) => `Order edited: ${orderText(order)}.`,
  "order.triggered": ({ orderUuid }) =>
    `Stop of order ${orderUuid} reached: it is now a pending limit order.`,
  "order.cancelled": ({ orderUuid, reason }) =>
    `Order ${orderUuid} ${reason === "positionClosed" ? "cancelled with its position" : "is no longer pending"}.`,
  "order.filled": (fill) => fillText(fill),
  "legs.attached": ({ legs }) => `Attached: ${legs.map(orderText).join("; ")}.`,
  "position.closed": ({ direction, tradePair, status, realizedPnl, fees }) =>
    `${DIRECTIONS[direction]} position in ${tradePair} ${status.toLowerCase()}${amountText(": realized ", realizedPnl)}${amountText(", fees ", fees)}.`,
  "challenge.passed": () => "Evaluation passed: the account is funded.",
  "pro.offered": ({ size }) => `Pro account${amountText(" of ", size)} offered.`,
  "pro.started": ({ size }) => `Pro account${amountText(" of ", size)} started.`,
  "pro.promoted": () => "Pro account funded.",
  "pro.soft_breached": () => "A day was beyond a target: its week is held.",
  "payout.cycle_closed": ({ payout }) =>
    `Week closed: ${payout === null ? "nothing to pay" : `${moneyText(roundUsd(payout.amount))} to be paid`}.`,
};

/**
 * One sentence about an event that was read at a validator. The service does not know the validator's catalogue of
 * pairs, so pairs keep the validator's names, and the ticks of prices are unknown.
 */
export function observedSentence({ type, data }: ObservedEvent): string {
  const word = eventTypeWord(type);
  const sentences: Readonly<Record<string, (data: never) => string>> = SENTENCES;
  // The row is that of the event's own type, so `data` fits.
  return sentences[word]?.(data as never) ?? `${word}.`;
}

const DIRECTIONS: Readonly<Record<PositionType, string>> = { LONG: "Long", SHORT: "Short" };

function amountText(before: string, amount: number | null): string {
  return amount === null ? "" : `${before}${moneyText(roundUsd(amount))}`;
}

function levelText(before: string, level: number | null): string {
  return level === null ? "" : `${before}${priceText(level, { tick: null })}`;
}

function orderText({ executionType, orderType, tradePair, ...order }: EventOrder): string {
  const { limitPrice, stopPrice, stopLoss, takeProfit, trailingPercent, trailingValue } = order;
  const isTrailing = trailingPercent !== null || trailingValue !== null;
  if (executionType === "BRACKET") {
    const levels = `${levelText(", stop ", stopLoss)}${levelText(", target ", takeProfit)}${isTrailing ? ", trailing stop" : ""}`;
    return `leg on the ${orderType.toLowerCase()} position in ${tradePair}${levels}`;
  }
  const kind = executionType === "LIMIT" ? "limit order" : "stop-limit order";
  return `${DIRECTIONS[orderType]} ${kind} for ${tradePair}${levelText(" at ", limitPrice)}${levelText(", stop ", stopPrice)}`;
}

function fillText(fill: EventData<"order.filled", Linked>): string {
  const { direction, quantity, tradePair, price, value, effect } = fill;
  const verb = direction === null ? "Filled" : direction === "LONG" ? "Bought" : "Sold";
  const lots = quantity === null ? "" : ` ${countText(quantity, "lot")} of`;
  const of = effect === null ? "" : `: ${EFFECTS[effect]}`;
  return `${verb}${lots} ${tradePair}${levelText(" at ", price)}${value === null ? "" : ` (${moneyText(roundUsd(value))})`}${of}.`;
}

const EFFECTS = {
  open: "opens a position",
  add: "adds to the position",
  reduce: "reduces the position",
  close: "closes the position",
} as const;
