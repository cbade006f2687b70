/** What a fill may be, going by the order that it fills. */
import {
  type BracketLeg,
  gridStepOf,
  type Instrument,
  type Instruments,
  type LimitOrder,
  microUsd,
  type OrderFilled,
  type PendingOrder,
} from "@propgate/core";
import type { ModelAccount } from "./account-model.ts";
import type { Line } from "./journal-feed.ts";
import type { PriceBook } from "./price-book.ts";

/** A size as asked for: lots, dollars, or a multiple of the balance. */
export interface AskedSize {
  readonly kind: "quantity" | "value" | "leverage";
  readonly amount: number;
}

const NOISE = 1e-9;
const QUANTITY_PER_LOT = 100_000;

/** `next`: the line behind the fill, of the same command; null without one. */
export function fillProblems(
  before: ModelAccount,
  fill: OrderFilled,
  at: {
    /** That filled it. */
    readonly command: string;
    readonly next: Line | null;
    readonly instruments: Instruments;
    readonly prices: PriceBook;
  },
): readonly string[] {
  const instrument = at.instruments.get(fill.pair);
  if (instrument === undefined) return [`a fill of ${fill.pair}, which nobody knows`];
  const price = at.prices.problem(fill, instrument, at.command);
  const problems = price === null ? [] : [price];
  const order = before.orders.get(fill.orderUuid);
  if (order === undefined) return problems;
  problems.push(...orderProblems(order, fill));
  if (order.kind !== "bracket") problems.push(...legProblems(order.legs.length, fill, at.next));
  if (order.size === null) {
    const isWhole = fill.effect === "close";
    return isWhole ? problems : [...problems, "a leg of the whole position that leaves some of it"];
  }
  // What a share comes to is held by those who know the whole.
  if (order.size.kind === "bracketPct") return problems;
  const size = askedSizeOf(order.size);
  const isLeg = order.kind === "bracket";
  return [...problems, ...sizeProblems(before, fill, { instrument, size, isLeg })];
}

/** Legs asked for come with the fill that they guard, and with no other. */
export function legProblems(
  asked: number,
  fill: OrderFilled,
  next: Line | null,
): readonly string[] {
  const guards = fill.effect === "open" || fill.effect === "add" ? asked : 0;
  const attached = next?.event.type === "legsAttached" ? next.event.legs : [];
  if (attached.length !== guards) {
    return [`${guards} legs were due with the fill, and ${attached.length} came`];
  }
  const isNamed = attached.every(
    ({ uuid, positionUuid }, index) =>
      uuid === `${fill.orderUuid}-bracket-${index}` && positionUuid === fill.positionUuid,
  );
  return isNamed ? [] : ["legs that are not named after their fill"];
}

/** To the nearest step of the grid; less only where a cap is named or nothing more is open. */
export function sizeProblems(
  before: ModelAccount,
  fill: OrderFilled,
  asked: {
    readonly instrument: Instrument;
    readonly size: AskedSize;
    /** A leg closes one step at least. */
    readonly isLeg?: boolean;
  },
): readonly string[] {
  const { instrument } = asked;
  const step = gridStepOf(instrument, microUsd(before.size));
  const least = asked.isLeg === true ? step : 0;
  const due = Math.max(least, quantityOf(asked.size, { before, fill, instrument }));
  const open = Math.abs(before.held.get(fill.positionUuid)?.net ?? 0);
  const isWayOut = fill.effect === "reduce" || fill.effect === "close";
  const problems: string[] = [];
  if (fill.quantity % step !== 0 && fill.quantity !== open) problems.push("a size off the grid");
  const slack = step * (isWayOut ? 0.5 : 1) + due * NOISE;
  const isAsAsked = Math.abs(fill.quantity - due) <= slack;
  const isLess = isWayOut ? fill.quantity === open : fill.bindingCap !== null;
  if (isAsAsked || (isLess && fill.quantity <= due + slack)) return problems;
  if (takesRest(fill, open, { due, instrument })) return problems;
  return [...problems, `${fill.quantity} filled where ${due} was asked for`];
}

/** What would be left is below the least position, so it goes along. @rule D10.leastGoesAlong */
function takesRest(
  fill: OrderFilled,
  open: number,
  { due, instrument }: { readonly due: number; readonly instrument: Instrument },
): boolean {
  if (fill.tookRestAlong !== true || fill.quantity !== open) return false;
  const rest = open - due;
  const { leastPosition, lotSize } = instrument;
  const dollars = (rest / QUANTITY_PER_LOT) * lotSize * fill.price * fill.usdRate;
  return leastPosition.kind === "quantity"
    ? rest <= leastPosition.quantity
    : dollars * 1e6 <= leastPosition.value + 1;
}

export function askedSizeOf(size: Exclude<PendingOrder["size"], null>): AskedSize {
  switch (size.kind) {
    case "quantity":
      return { kind: "quantity", amount: size.lots };
    case "value":
      return { kind: "value", amount: size.value / 1e6 };
    case "leverage":
      return { kind: "leverage", amount: size.leverage };
    case "bracketPct":
      return { kind: "quantity", amount: Number.NaN };
  }
}

function quantityOf(
  { kind, amount }: AskedSize,
  at: {
    readonly before: ModelAccount;
    readonly fill: OrderFilled;
    readonly instrument: Instrument;
  },
): number {
  if (kind === "quantity") return amount * QUANTITY_PER_LOT;
  const usd = kind === "value" ? amount : amount * (at.before.cash / 1e6);
  const { price, usdRate } = at.fill;
  return (usd / (price * at.instrument.lotSize * usdRate)) * QUANTITY_PER_LOT;
}

/** Of the pair asked for, at its limit or better, at its stop or at the jump beyond. */
function orderProblems(order: PendingOrder, fill: OrderFilled): readonly string[] {
  if (order.pair !== fill.pair) return [`it was asked for ${order.pair}`];
  switch (order.kind) {
    case "stopLimit":
      return ["its stop has not been passed"];
    case "limit":
      return limitProblems(order, fill);
    case "bracket":
      return legFillProblems(order, fill);
  }
}

function limitProblems(
  order: LimitOrder,
  { kind, direction, price }: OrderFilled,
): readonly string[] {
  if (kind !== "limit" || order.direction !== direction) return ["another way"];
  const up = direction === "long" ? 1 : -1;
  const isWorse = up * price > up * order.limitPrice;
  return isWorse ? [`${price} is worse than its limit ${order.limitPrice}`] : [];
}

/** Where a trailing stop stands is judged by those who know the best price. */
function legFillProblems(leg: BracketLeg, fill: OrderFilled): readonly string[] {
  if (leg.direction === fill.direction) return ["a leg that does not lead out"];
  const up = leg.direction === "long" ? 1 : -1;
  const isTarget = fill.kind === "takeProfit";
  if (!isTarget && leg.trailing !== null) return [];
  const level = isTarget ? leg.takeProfit : leg.stopLoss;
  const beyond = isTarget ? up : -up;
  const isThere = level !== null && beyond * fill.price >= beyond * level;
  return isThere ? [] : [`a ${fill.kind} at ${fill.price} with its level at ${String(level)}`];
}
