import { assert } from "../assert.ts";
import type { AccountState } from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import type { FillKind, OrderFilled, PositionClosed } from "../state/event.ts";
import { withResidual } from "../state/ladder.ts";
import type { PendingOrder } from "../state/order.ts";
import type { Position } from "../state/position.ts";
import type { ProTrack } from "../state/pro-track.ts";
import { addUsd, subtractUsd, type UnixMs } from "../units.ts";
import { withoutPendingClose } from "./dead-mans-switch.ts";
import { legAfterFill } from "./leg-shares.ts";
import { addToPosition, openPosition, reducePosition } from "./position-fills.ts";

/**
 * The account after a fill. A filled pending order is removed, and the position, the realized profit and the fees
 * include the fill. The shares of the position's other legs follow it. A closed position stays, with zero quantity,
 * until `positionClosed`.
 */
export function applyOrderFilled(state: AccountState, event: OrderFilled): AccountState {
  const before = state.positions.find((position) => position.uuid === event.positionUuid);
  const after = positionAfterFill(state, event, before);
  return {
    ...state,
    realized: addUsd(state.realized, event.realizedPnl),
    fees: addUsd(state.fees, event.fee),
    positions:
      before === undefined
        ? [...state.positions, after]
        : state.positions.map((position) => (position === before ? after : position)),
    orders: ordersAfterFill(state.orders, event, before),
    lastOrderAtMs: COUNTS_AS_NEW_ORDER[event.kind]
      ? { ...state.lastOrderAtMs, [event.pair]: event.atMs }
      : state.lastOrderAtMs,
    idleSinceMs: isForcedFill(event.kind) ? state.idleSinceMs : event.atMs,
    earning: state.earning === null ? null : { ...state.earning, lastFillAtMs: event.atMs },
    pro: state.pro === null ? null : withFirstTrade(state.pro, event.atMs),
  };
}

/** True for fills that the network causes and not the trader; they do not count as activity. */
function isForcedFill(kind: FillKind): boolean {
  return (
    kind === "elimination" || kind === "phaseEnd" || kind === "cashInLieu" || kind === "switch"
  );
}

function withFirstTrade(track: ProTrack, atMs: UnixMs): ProTrack {
  const { statistics } = track;
  if (statistics === null || statistics.firstTradeAtMs !== null) return track;
  return { ...track, statistics: { ...statistics, firstTradeAtMs: atMs } };
}

/**
 * The fills that count as a new order for the cooldown. A fill of a pending order does not: an entry was counted when
 * it was placed. Neither does a fill that the network causes.
 */
const COUNTS_AS_NEW_ORDER: Readonly<Record<FillKind, boolean>> = {
  market: true,
  closePair: true,
  flatten: true,
  limit: false,
  stopLoss: false,
  takeProfit: false,
  elimination: false,
  phaseEnd: false,
  cashInLieu: false,
  switch: false,
};

function positionAfterFill(
  state: AccountState,
  event: OrderFilled,
  before: Position | undefined,
): Position {
  if (event.effect === "open") {
    assert(before === undefined, "a position is opened once");
    return openPosition(event, balanceOf(state));
  }
  assert(before !== undefined, `an open position to ${event.effect}`);
  return event.effect === "add" ? addToPosition(before, event) : reducePosition(before, event);
}

function ordersAfterFill(
  orders: readonly PendingOrder[],
  event: OrderFilled,
  before: Position | undefined,
): readonly PendingOrder[] {
  const filled = orders.find((order) => order.uuid === event.orderUuid);
  const rest = orders.filter((order) => order !== filled);
  if (before === undefined) return rest;
  const followed = rest.map((order) =>
    order.kind === "bracket" && order.positionUuid === before.uuid
      ? legAfterFill(order, event, before.quantity)
      : order,
  );
  return filled?.kind === "bracket" ? withResidual(followed, filled, event.quantity) : followed;
}

/** The account without the closed position, whose trade is added to the sums over closed trades. @rule S2.4 */
export function applyPositionClosed(state: AccountState, event: PositionClosed): AccountState {
  const { trade } = event;
  const net = subtractUsd(trade.realizedPnl, trade.fees);
  return {
    ...withoutPendingClose(state, trade.id),
    positions: state.positions.filter((position) => position.uuid !== trade.id),
    record: {
      trades: state.record.trades + 1,
      wins: state.record.wins + (net > 0 ? 1 : 0),
      netPnl: addUsd(state.record.netPnl, net),
      // The clock may have been set back in between, and the time held must not be negative.
      heldMs: state.record.heldMs + Math.max(0, trade.closedAtMs - trade.openedAtMs),
    },
  };
}
