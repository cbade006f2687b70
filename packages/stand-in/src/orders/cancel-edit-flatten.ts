import { cancelRestingOrder, nextChangeTime } from "../network/changes.ts";
import { bookFill } from "../network/fill.ts";
import { instrumentOf } from "../network/instruments.ts";
import {
  type LegRequest,
  type NetworkState,
  ORDER_SRC,
  type Order,
  type Subaccount,
} from "../network/state.ts";
import { openPosition, openPositions } from "../network/valuation.ts";
import { pythonRepr } from "../python-repr.ts";
import { isMarketClosed } from "./guards.ts";
import { addLeg, cancelOrphanedLegs, requestedLegs } from "./legs.ts";
import { orderJson } from "./order-json.ts";
import { changeRestingLeg, createRestingOrder } from "./resting.ts";
import { entryError, hasTrigger, type Signal } from "./signal.ts";
import type { OrderOutcome } from "./submit.ts";

/**
 * Carries out a LIMIT_CANCEL: of one id, of ids with commas between them, or of `ALL`. An id also means the legs that
 * its order has attached.
 */
export function cancelOrders(
  state: NetworkState,
  account: Subaccount,
  signal: Signal,
  nowMs: number,
): OrderOutcome {
  const target = signal.uuid ?? "";
  const isAll = target.toUpperCase() === "ALL";
  const ids = target.split(",").map((id) => id.trim());
  const found = account.resting.filter((one) =>
    isAll
      ? signal.pair === null || one.pair === signal.pair
      : ids.some((id) => one.uuid === id || one.uuid.startsWith(`${id}-bracket-`)),
  );
  if (found.length === 0 && !isAll)
    return refusedOutcome(`No unfilled limit orders found for ${target}`);
  for (const order of found) cancelRestingOrder(account, order, nextChangeTime(state, nowMs));
  return acceptedOutcome(
    pythonRepr({
      status: "cancelled",
      order_uuid: target,
      miner_hotkey: account.hotkey,
      cancelled_ms: BigInt(state.lastMs),
      num_cancelled: BigInt(found.length),
    }),
  );
}

/** Carries out a LIMIT_EDIT, which has the whole order again under the same id, or legs in bulk. */
export function editOrder(
  state: NetworkState,
  account: Subaccount,
  signal: Signal,
  nowMs: number,
): OrderOutcome {
  const order = account.resting.find(({ uuid }) => uuid === signal.uuid);
  if (order === undefined) {
    if (signal.legs !== null && signal.legs.length > 0) return editLegs(state, account, signal);
    return refusedOutcome(`No unfilled limit orders found for ${signal.uuid}`);
  }
  if (order.pair !== signal.pair) return refusedOutcome(`trade pair mismatch: ${order.pair}`);
  if (order.executionType === "BRACKET") return editLeg(state, account, signal, order);
  const edited: Signal = { ...signal, executionType: order.executionType };
  const wrong = entryError(edited);
  if (wrong !== null) return refusedOutcome(wrong);
  Object.assign(
    order,
    createRestingOrder(state, edited, { uuid: order.uuid, pair: order.pair, nowMs }),
  );
  return acceptedOutcome(orderJson(state, order));
}

function editLeg(
  state: NetworkState,
  account: Subaccount,
  signal: Signal,
  order: Order,
): OrderOutcome {
  const leg = requestedLegs({ ...signal, executionType: "BRACKET" })[0];
  if (leg === undefined)
    return refusedOutcome("a leg needs stop_loss, take_profit or trailing_stop");
  changeRestingLeg(state, account, order, leg);
  return acceptedOutcome(orderJson(state, order));
}

/**
 * Edits legs in bulk. An item with an id and prices edits the leg, one with an id alone cancels it, and one without an
 * id adds a leg.
 */
function editLegs(state: NetworkState, account: Subaccount, signal: Signal): OrderOutcome {
  const texts: string[] = [];
  for (const leg of signal.legs ?? []) {
    const edited = editOneLeg(state, account, signal, leg);
    if (!edited.ok) return refusedOutcome(edited.error);
    texts.push(edited.uuid);
  }
  return acceptedOutcome(pythonRepr({ status: "updated", order_uuid: signal.uuid, legs: texts }));
}

function editOneLeg(
  state: NetworkState,
  account: Subaccount,
  signal: Signal,
  leg: LegRequest,
): { readonly ok: true; readonly uuid: string } | { readonly ok: false; readonly error: string } {
  const position = openPosition(account, signal.pair ?? "");
  if (position === undefined) return { ok: false, error: `No open position on ${signal.pair}` };
  if (leg.uuid === null) {
    const made = addLeg(state, account, position, leg);
    return made.ok ? { ok: true, uuid: made.order.uuid } : made;
  }
  const order = account.resting.find(({ uuid }) => uuid === leg.uuid);
  if (order === undefined) {
    return { ok: false, error: `No unfilled limit orders found for ${leg.uuid}` };
  }
  if (hasTrigger(leg)) changeRestingLeg(state, account, order, leg);
  else cancelRestingOrder(account, order, nextChangeTime(state, state.lastMs));
  return { ok: true, uuid: order.uuid };
}

/** Carries out a FLAT_ALL: closes positions at bid or ask. Those without an open market or a price stay open. */
export function flattenPositions(
  state: NetworkState,
  account: Subaccount,
  signal: Signal,
  nowMs: number,
): OrderOutcome {
  const target = signal.uuid ?? "";
  const ids = target.split(",").map((id) => id.trim());
  const chosen = openPositions(account).filter(
    ({ uuid }) => target.toUpperCase() === "ALL" || ids.includes(uuid),
  );
  const closed: string[] = [];
  for (const position of chosen) {
    const pair = instrumentOf(position.pair);
    const price = state.prices[position.pair];
    if (pair === undefined || price === undefined || isMarketClosed(state, position.pair)) continue;
    bookFill({
      state,
      account,
      pair,
      type: "FLAT",
      size: null,
      price: position.type === "LONG" ? price.bid : price.ask,
      uuid: `${position.uuid}-flat-all`,
      src: ORDER_SRC.flatAll,
      executionType: "MARKET",
      nowMs,
      from: null,
    });
    cancelOrphanedLegs(state, account, position.pair);
    closed.push(position.uuid);
  }
  return acceptedOutcome(
    pythonRepr({ status: "success", order_uuid: target, closed_positions: closed }),
  );
}

function acceptedOutcome(orderText: string): OrderOutcome {
  return { isAccepted: true, error: null, orderJson: orderText };
}

function refusedOutcome(error: string): OrderOutcome {
  return { isAccepted: false, error, orderJson: "" };
}
