import { endRestingOrder, nextChangeTime, nextUuid } from "../network/changes.ts";
import { bookFill } from "../network/fill.ts";
import type { Instrument } from "../network/instruments.ts";
import {
  type NetworkState,
  ORDER_SRC,
  type OrderType,
  type Price,
  type Subaccount,
} from "../network/state.ts";
import { openPosition } from "../network/valuation.ts";
import { cancelOrders, editOrder, flattenPositions } from "./cancel-edit-flatten.ts";
import {
  accountRefusal,
  cooldownRefusal,
  isMarketClosed,
  livePrice,
  RESTING_ORDERS_MAX,
  tradablePair,
} from "./guards.ts";
import { addLeg, cancelOrphanedLegs, createLegs, requestedLegs } from "./legs.ts";
import { orderJson } from "./order-json.ts";
import { createRestingOrder } from "./resting.ts";
import { entryError, readSignal, type Signal } from "./signal.ts";

/** The outcome of an order call at the validator. */
export interface OrderOutcome {
  /** False when the validator refused the order. A fill with a wrong stop is accepted, and has an error. */
  readonly isAccepted: boolean;
  readonly error: string | null;
  /** The order as Python writes it; empty when there is no order to show. */
  readonly orderJson: string;
}

interface Call {
  readonly state: NetworkState;
  readonly account: Subaccount;
  readonly signal: Signal;
  readonly pair: Instrument;
  readonly uuid: string;
  readonly nowMs: number;
  /** The number of legs of a fill that may be created; all further legs are refused. */
  readonly legsMax: number;
}

/** Executes the body of an order call for a subaccount and records it. */
export function submitOrder(
  state: NetworkState,
  account: Subaccount,
  body: Readonly<Record<string, unknown>>,
  { nowMs, legsMax }: Pick<Call, "nowMs" | "legsMax">,
): OrderOutcome & { readonly uuid: string } {
  const read = readSignal(body);
  const given =
    typeof body.order_uuid === "string" && body.order_uuid !== "" ? body.order_uuid : null;
  const uuid = given ?? nextUuid(state);
  const result = read.ok
    ? executeOrder(state, account, { signal: read.signal, uuid, nowMs, legsMax })
    : refusedOutcome(read.error);
  state.submissions.push({
    uuid,
    hotkey: account.hotkey,
    executionType: read.ok ? read.signal.executionType : String(body.execution_type),
    content: contentOf(body),
    atMs: nowMs,
    ...result,
  });
  return { ...result, uuid };
}

/**
 * The content of a body as JSON with sorted keys, without the ids of the order and its legs. A cancel, an edit or a
 * FLAT_ALL keeps its id, which names the target. Two orders with the same content differ in their ids only.
 */
function contentOf(body: Readonly<Record<string, unknown>>): string {
  const target = /CANCEL|EDIT|FLAT_ALL/i.test(String(body.execution_type));
  return JSON.stringify(withSortedKeys(body, target ? [] : ["order_uuid"]));
}

function withSortedKeys(value: unknown, left: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withSortedKeys(item, left));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key]) => !left.includes(key))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, withSortedKeys(item, left)]));
}

function executeOrder(
  state: NetworkState,
  account: Subaccount,
  { signal, uuid, nowMs, legsMax }: Pick<Call, "signal" | "uuid" | "nowMs" | "legsMax">,
): OrderOutcome {
  const barred = accountRefusal(account);
  if (barred !== null) return refusedOutcome(barred);
  switch (signal.executionType) {
    case "LIMIT_CANCEL":
      return cancelOrders(state, account, signal, nowMs);
    case "FLAT_ALL":
      return flattenPositions(state, account, signal, nowMs);
    case "LIMIT_EDIT":
      return carryOutEdit(state, account, signal, { nowMs, legsMax });
    case "MARKET":
    case "LIMIT":
    case "STOP_LIMIT":
    case "BRACKET":
      break;
  }
  if (isKnownUuid(state, uuid)) return refusedOutcome(`Order ${uuid} was already processed`);
  const traded = tradablePair(account, signal.pair ?? "");
  if (!traded.ok) return refusedOutcome(traded.error);
  const call: Call = { state, account, signal, pair: traded.pair, uuid, nowMs, legsMax };
  if (signal.executionType === "BRACKET") return placeBracket(call);
  return signal.executionType === "MARKET" ? fillNow(call) : placeResting(call);
}

function isKnownUuid(state: NetworkState, uuid: string): boolean {
  return state.submissions.some(
    (one) => one.uuid === uuid && !/CANCEL|EDIT|FLAT_ALL/.test(one.executionType),
  );
}

function fillNow(call: Call): OrderOutcome {
  const { state, account, signal, pair, uuid, nowMs, legsMax } = call;
  const type = signal.type ?? "LONG";
  if (isMarketClosed(state, pair.id))
    return refusedOutcome(`The market for ${pair.id} is currently closed.`);
  const live = livePrice(state, pair);
  if (!live.ok) return refusedOutcome(live.error);
  const cooling = cooldownRefusal(state, account, pair, nowMs);
  if (cooling !== null) return refusedOutcome(cooling);
  const result = bookFill({
    state,
    account,
    pair,
    type,
    size: signal.size,
    price: marketPrice(account, pair, type, live.price),
    uuid,
    src: ORDER_SRC.organic,
    executionType: signal.executionType === "LIMIT" ? "LIMIT" : "MARKET",
    nowMs,
    from: null,
  });
  if (!result.ok) return refusedOutcome(result.error);
  if (result.order === null) return { isAccepted: true, error: null, orderJson: "" };
  account.lastOrderMs[pair.id] = nowMs;
  const { price } = result.order;
  result.order.limitPrice = signal.limitPrice;
  result.order.stopLoss = signal.stopLoss;
  result.order.takeProfit = signal.takeProfit;
  result.order.trailing = signal.trailing;
  const parent = { uuid, pair: pair.id, price, legsMax };
  const wrong = createLegs(state, account, parent, requestedLegs(signal));
  cancelOrphanedLegs(state, account, pair.id);
  const error =
    wrong === null
      ? null
      : `Market order filled successfully, but bracket order creation failed: ${wrong}`;
  return { isAccepted: true, error, orderJson: orderJson(state, result.order) };
}

/**
 * The price of an order at the market. A buy pays the ask and a sale gets the bid; FLAT trades against the position.
 */
function marketPrice(
  account: Subaccount,
  pair: Instrument,
  type: OrderType,
  { bid, ask }: Price,
): number {
  if (type === "LONG") return ask;
  if (type === "SHORT") return bid;
  return openPosition(account, pair.id)?.type === "SHORT" ? ask : bid;
}

function placeResting(call: Call): OrderOutcome {
  const { state, account, signal, pair, uuid, nowMs } = call;
  if (account.resting.length >= RESTING_ORDERS_MAX) {
    return refusedOutcome("miner has too many unfilled limit orders");
  }
  if (isMarketable(state, signal)) return fillNow(call);
  const order = createRestingOrder(state, signal, { uuid, pair: pair.id, nowMs });
  account.resting.push(order);
  return { isAccepted: true, error: null, orderJson: orderJson(state, order) };
}

/** Whether an order fills on its arrival: a LIMIT that the market reaches already. A STOP_LIMIT never does. */
function isMarketable(state: NetworkState, signal: Signal): boolean {
  const { pair, limitPrice, type } = signal;
  const price = state.prices[pair ?? ""];
  if (signal.executionType !== "LIMIT" || price === undefined || limitPrice === null) return false;
  if (isMarketClosed(state, pair ?? "")) return false;
  return type === "LONG" ? price.ask <= limitPrice : price.bid >= limitPrice;
}

function placeBracket({ state, account, signal, pair, uuid }: Call): OrderOutcome {
  const position = openPosition(account, pair.id);
  if (position === undefined) return refusedOutcome(`BRACKET needs an open position on ${pair.id}`);
  const leg = requestedLegs(signal)[0];
  if (leg === undefined)
    return refusedOutcome("BRACKET needs stop_loss, take_profit or trailing_stop");
  const made = addLeg(state, account, position, { ...leg, uuid });
  if (!made.ok) return refusedOutcome(made.error);
  return { isAccepted: true, error: null, orderJson: orderJson(state, made.order) };
}

/** Carries out an edit. An edited LIMIT that the market reaches fills like a new one. */
function carryOutEdit(
  state: NetworkState,
  account: Subaccount,
  signal: Signal,
  { nowMs, legsMax }: Pick<Call, "nowMs" | "legsMax">,
): OrderOutcome {
  const order = account.resting.find(({ uuid }) => uuid === signal.uuid);
  const traded = tradablePair(account, signal.pair ?? "");
  const asLimit: Signal = { ...signal, executionType: "LIMIT" };
  const fills =
    order?.executionType === "LIMIT" && order.pair === signal.pair && isMarketable(state, asLimit);
  if (order === undefined || !fills || !traded.ok) return editOrder(state, account, signal, nowMs);
  const wrong = entryError(asLimit);
  if (wrong !== null) return refusedOutcome(wrong);
  const call: Call = {
    state,
    account,
    signal: asLimit,
    pair: traded.pair,
    uuid: order.uuid,
    nowMs,
    legsMax,
  };
  const result = fillNow(call);
  if (result.isAccepted)
    endRestingOrder(account, order, ORDER_SRC.limitFilled, nextChangeTime(state, nowMs));
  return result;
}

function refusedOutcome(error: string): OrderOutcome {
  return { isAccepted: false, error, orderJson: "" };
}
