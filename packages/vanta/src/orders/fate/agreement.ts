import {
  dollars,
  type EditOrder,
  type LegRequest,
  type LegSize,
  placesEntry,
  type Size,
} from "@propgate/core";
import { commandKindFields, ORDER_TYPE_WORDS } from "@propgate/wire";
import type { NetworkOrder } from "../answer/network-order.ts";
import type { OrderingCommand } from "../answer/order-record.ts";

/*
 * The network's answer to an order is believed only where nothing contradicts it: neither the command, nor the account
 * as it was read afterwards.
 */

/**
 * Whether the order can be that of the command. Compared are whether it has filled and, for an order with these fields,
 * its direction, limit price and size, where the network sends them. An edited order needs all fields of the edit.
 * @rule D13.answerInDoubt
 */
export function matchesCommand(order: NetworkOrder, command: OrderingCommand): boolean {
  if (placesEntry(command)) {
    return (
      isOfDirection(order, command) &&
      agreeOrUnknown(order.limitPrice, commandKindFields(command).limitPrice, isNear) &&
      (order.filled ? isWithinSentSize(order, command.size) : sameSize(order, command.size))
    );
  }
  switch (command.type) {
    case "placeMarket":
      return order.filled && isOfDirection(order, command) && isWithinSentSize(order, command.size);
    case "closePair":
      return order.filled;
    case "placeBracket":
      return !order.filled;
    case "editOrder":
      return isAsEdited(order, command.replacement);
  }
}

/** Whether the order has the fields of the edit. */
export function isAsEdited(order: NetworkOrder, replacement: EditOrder["replacement"]): boolean {
  if (replacement.type === "editLeg") {
    return sameLeg(order, replacement.leg) && sameSize(order, replacement.leg.size);
  }
  const { limitPrice, stopPrice, stopCondition } = commandKindFields(replacement);
  if (!isOfDirection(order, replacement) || !isSameNumber(order.limitPrice, limitPrice))
    return false;
  if (stopPrice !== null && !isSameNumber(order.stopPrice, stopPrice)) return false;
  if (!agreeOrUnknown(order.stopCondition, stopCondition, Object.is)) return false;
  if (!order.filled && !sameSize(order, replacement.size)) return false;
  return sameLegs(order, replacement.legs);
}

/**
 * Whether an answer and a later reading of the account show the same order: both show it filled or both pending, and
 * its other fields agree where both are known.
 */
export function isSameOrder(answered: NetworkOrder, read: NetworkOrder): boolean {
  return (
    answered.filled === read.filled &&
    agreeOrUnknown(answered.type, read.type, Object.is) &&
    agreeOrUnknown(answered.quantity, read.quantity, nearMagnitude) &&
    agreeOrUnknown(answered.value, read.value, nearMagnitude) &&
    agreeOrUnknown(answered.price, read.price, isNear) &&
    agreeOrUnknown(answered.limitPrice, read.limitPrice, isNear)
  );
}

/** Whether two values agree. An unknown value agrees with every other. */
function agreeOrUnknown<Value>(
  left: Value | null,
  right: Value | null,
  isSame: (left: Value, right: Value) => boolean,
): boolean {
  return left === null || right === null || isSame(left, right);
}

function isOfDirection(
  { type }: NetworkOrder,
  { direction }: { readonly direction: keyof typeof ORDER_TYPE_WORDS },
): boolean {
  return type === null || type === ORDER_TYPE_WORDS[direction];
}

/**
 * The highest ratio of a fill to the size that was sent. Caps and reductions make a fill smaller; only rounding to the
 * network's grid makes it larger.
 */
const FILL_RATIO_MAX = 1.01;

function isWithinSentSize({ quantity, value }: NetworkOrder, size: Size): boolean {
  switch (size.kind) {
    case "quantity":
      return quantity === null || Math.abs(quantity) <= size.lots * FILL_RATIO_MAX;
    case "value":
      return value === null || Math.abs(value) <= size.value * FILL_RATIO_MAX;
    case "leverage":
      return true;
  }
}

/** Whether the order has these legs. Legs that the network does not list are not compared. */
function sameLegs(order: NetworkOrder, legs: readonly LegRequest[]): boolean {
  const [first, ...more] = legs;
  if (order.legs !== null) {
    return (
      order.legs.length === legs.length &&
      order.legs.every((leg, place) => {
        const wanted = legs[place];
        return wanted !== undefined && sameLeg(leg, wanted);
      })
    );
  }
  if (more.length > 0 || order.filled) return true;
  return first === undefined
    ? order.stopLoss === null && order.takeProfit === null
    : sameLeg(order, first);
}

type Triggers = Pick<NetworkOrder, "stopLoss" | "takeProfit" | "trailingPercent" | "trailingValue">;

/** Whether an order has the stop, target and trailing distance of a leg. */
export function sameLeg(one: Triggers, leg: LegRequest): boolean {
  const percent = leg.trailing?.kind === "percent" ? leg.trailing.ratio : null;
  const distance = leg.trailing?.kind === "value" ? leg.trailing.value : null;
  return (
    isSameNumber(one.stopLoss, leg.stopLoss) &&
    isSameNumber(one.takeProfit, leg.takeProfit) &&
    isSameNumber(one.trailingPercent, percent) &&
    isSameNumber(one.trailingValue, distance)
  );
}

type Sizes = Pick<NetworkOrder, "quantity" | "value" | "leverage" | "bracketPct">;

/** Whether the order has this size. A size that the network shows in another unit is not compared. */
export function sameSize(order: Sizes, size: LegSize | null): boolean {
  switch (size?.kind) {
    case undefined:
      return order.bracketPct === null || order.bracketPct === 1;
    case "quantity":
      return order.quantity === null || nearMagnitude(order.quantity, size.lots);
    case "value":
      return order.value === null || nearMagnitude(dollars(order.value), dollars(size.value));
    case "leverage":
      return order.leverage === null || nearMagnitude(order.leverage, size.leverage);
    case "bracketPct":
      return order.bracketPct === null || isNear(order.bracketPct, size.ratio);
  }
}

function isSameNumber(left: number | null, right: number | null): boolean {
  return left === null || right === null ? left === right : isNear(left, right);
}

/** The tolerance for two numbers to be equal: a share of the number, and absolute below 1. */
const PRECISION = 1e-9;

function isNear(left: number, right: number): boolean {
  return Math.abs(left - right) <= PRECISION * Math.max(1, Math.abs(left), Math.abs(right));
}

/** Compares sizes without their sign: the network's sizes of a SHORT are negative. */
function nearMagnitude(left: number, right: number): boolean {
  return isNear(Math.abs(left), Math.abs(right));
}
