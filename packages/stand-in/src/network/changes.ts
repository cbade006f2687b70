import {
  type NetworkState,
  ORDER_SRC,
  type Order,
  type Position,
  type Subaccount,
} from "./state.ts";

/** A time for a change. It is later than that of every earlier change, because the cursors are exclusive. */
export function nextChangeTime(state: NetworkState, nowMs: number): number {
  state.lastMs = Math.max(nowMs, state.lastMs + 1);
  return state.lastMs;
}

/** A version-4-shaped id from a counter, so that runs with the same calls have the same ids. */
export function nextUuid(state: NetworkState): string {
  const count = state.nextUuid.toString(16).padStart(12, "0");
  state.nextUuid += 1;
  return `57a4d140-0000-4000-8000-${count}`;
}

const CANCELLED_SRC: Readonly<Record<Order["executionType"], number>> = {
  MARKET: ORDER_SRC.limitCancelled,
  LIMIT: ORDER_SRC.limitCancelled,
  BRACKET: ORDER_SRC.bracketCancelled,
  STOP_LIMIT: ORDER_SRC.stopLimitCancelled,
};

/** Ends a resting order and remembers its id for the next reader of the dashboard. */
export function endRestingOrder(
  account: Subaccount,
  order: Order,
  src: number,
  atMs: number,
): void {
  account.resting = account.resting.filter((one) => one !== order);
  account.ended.push({ ...order, src, changedMs: atMs });
  account.undrained.push(order.uuid);
  touchPosition(account, order.pair, atMs);
}

/** Cancels a resting order; its `src` follows from its type unless one is given. */
export function cancelRestingOrder(
  account: Subaccount,
  order: Order,
  atMs: number,
  src: number = CANCELLED_SRC[order.executionType],
): void {
  endRestingOrder(account, order, src, atMs);
}

/** Marks the open position of a pair as changed, when its legs or orders have changed. */
export function touchPosition(account: Subaccount, pair: string, atMs: number): void {
  const open = account.positions.find((one) => one.pair === pair && one.closeMs === null);
  if (open !== undefined) open.changedMs = atMs;
}

/** The resting legs of a position: those of its pair. */
export function restingLegsOf(account: Subaccount, { pair }: Position): readonly Order[] {
  return account.resting.filter((one) => one.executionType === "BRACKET" && one.pair === pair);
}
