/** Checks a fill against its order. */
import {
  type BracketLeg,
  type EntryOrder,
  gridStepOf,
  type Instrument,
  type Instruments,
  microUsd,
  type OrderFilled,
  type PendingOrder,
} from "@propgate/core";
import type { ModelAccount } from "./account-model.ts";
import type { AllowedPrices } from "./allowed-prices.ts";
import type { JournalLine } from "./journal-reader.ts";

/** A requested size: lots, dollars, or a multiple of the balance. */
export interface RequestedSize {
  readonly kind: "quantity" | "value" | "leverage";
  readonly amount: number;
}

const NOISE = 1e-9;
const QUANTITY_PER_LOT = 100_000;

/** The problems of a fill. `next` is the following line of the same command; null when there is none. */
export function fillProblems(
  before: ModelAccount,
  fill: OrderFilled,
  at: {
    /** The name of the command that filled the order. */
    readonly command: string;
    readonly next: JournalLine | null;
    readonly instruments: Instruments;
    readonly prices: AllowedPrices;
  },
): readonly string[] {
  const instrument = at.instruments.get(fill.pair);
  if (instrument === undefined) return [`a fill of the unknown pair ${fill.pair}`];
  const price = at.prices.problem(fill, instrument, at.command);
  const problems = price === null ? [] : [price];
  const order = before.orders.get(fill.orderUuid);
  if (order === undefined) return problems;
  problems.push(...orderProblems(order, fill));
  if (order.kind !== "bracket") problems.push(...legProblems(order.legs.length, fill, at.next));
  if (order.size === null) {
    const isWhole = fill.effect === "close";
    return isWhole ? problems : [...problems, "a leg of the whole position that does not close it"];
  }
  // The checker `LedgerSums` judges legs that are sized by `bracketPct`, because it knows the quantity of which they
  // are a share.
  if (order.size.kind === "bracketPct") return problems;
  const size = requestedSizeOf(order.size);
  const isLeg = order.kind === "bracket";
  return [...problems, ...sizeProblems(before, fill, { instrument, size, isLeg })];
}

/**
 * The problems of the legs that a fill attaches: all requested legs must follow a fill that opens or adds, and no legs
 * may follow any other fill.
 */
export function legProblems(
  requested: number,
  fill: OrderFilled,
  next: JournalLine | null,
): readonly string[] {
  const guards = fill.effect === "open" || fill.effect === "add" ? requested : 0;
  const attached = next?.event.type === "legsAttached" ? next.event.legs : [];
  if (attached.length !== guards) {
    return [`${guards} legs were expected with the fill, not ${attached.length}`];
  }
  const isNamed = attached.every(
    ({ uuid, positionUuid }, index) =>
      uuid === `${fill.orderUuid}-bracket-${index}` && positionUuid === fill.positionUuid,
  );
  return isNamed ? [] : ["legs whose uuids do not belong to their fill"];
}

/**
 * The problems of a fill's size. It must be on the grid and be the requested size, rounded to the nearest grid step. A
 * fill that opens or adds may be smaller because of a cap that it names. An exit may be smaller when it closes the
 * whole position, and larger when it also closes a remainder below the minimum position.
 */
export function sizeProblems(
  before: ModelAccount,
  fill: OrderFilled,
  requested: {
    readonly instrument: Instrument;
    readonly size: RequestedSize;
    /** True for a leg, which closes at least one step. */
    readonly isLeg?: boolean;
  },
): readonly string[] {
  const { instrument } = requested;
  const step = gridStepOf(instrument, microUsd(before.size));
  const minimum = requested.isLeg === true ? step : 0;
  const due = Math.max(minimum, quantityOf(requested.size, { before, fill, instrument }));
  const open = Math.abs(before.held.get(fill.positionUuid)?.net ?? 0);
  const isExit = fill.effect === "reduce" || fill.effect === "close";
  const problems: string[] = [];
  if (fill.quantity % step !== 0 && fill.quantity !== open) problems.push("a size off the grid");
  const slack = step * 0.5 + due * NOISE;
  const isAsRequested = Math.abs(fill.quantity - due) <= slack;
  const isLess = isExit ? fill.quantity === open : fill.bindingCap !== null;
  if (isAsRequested || (isLess && fill.quantity <= due + slack)) return problems;
  if (takesRest(fill, open, { due, instrument })) return problems;
  return [...problems, `${fill.quantity} filled, ${due} requested`];
}

/** True when the fill also closed a remainder below the minimum position. @rule D10.leastGoesAlong */
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

/** The requested size of a pending order. The amount is NaN for one sized by `bracketPct`. */
export function requestedSizeOf(size: Exclude<PendingOrder["size"], null>): RequestedSize {
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
  { kind, amount }: RequestedSize,
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

/** The problems of a fill's pair and price: a limit fills at its price or better, a stop at its level or beyond. */
function orderProblems(order: PendingOrder, fill: OrderFilled): readonly string[] {
  if (order.pair !== fill.pair) return [`the order is for ${order.pair}`];
  switch (order.kind) {
    case "stopLimit":
      return ["its stop has not triggered"];
    case "limit":
      return limitProblems(order, fill);
    case "bracket":
      return legFillProblems(order, fill);
  }
}

function limitProblems(
  order: EntryOrder<"limit">,
  { kind, direction, price }: OrderFilled,
): readonly string[] {
  if (kind !== "limit" || order.direction !== direction)
    return ["a fill of another kind or direction"];
  const up = direction === "long" ? 1 : -1;
  const isWorse = up * price > up * order.limitPrice;
  return isWorse ? [`${price} is worse than its limit ${order.limitPrice}`] : [];
}

/** The problems of a leg's fill against its levels. Another checker judges trailing stops. */
function legFillProblems(leg: BracketLeg, fill: OrderFilled): readonly string[] {
  if (leg.direction === fill.direction) return ["a leg that does not reduce"];
  const up = leg.direction === "long" ? 1 : -1;
  const isTarget = fill.kind === "takeProfit";
  if (!isTarget && leg.trailing !== null) return [];
  const level = isTarget ? leg.takeProfit : leg.stopLoss;
  const beyond = isTarget ? up : -up;
  const isReached = level !== null && beyond * fill.price >= beyond * level;
  return isReached ? [] : [`a ${fill.kind} at ${fill.price} with its level at ${String(level)}`];
}
