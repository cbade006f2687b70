import type { AccountState } from "../../account/account.ts";
import { assert } from "../../assert.ts";
import type { RestingOrder } from "../../orders/order.ts";
import { followPosition } from "../../positions/bracket-leg.ts";
import {
  addToPosition,
  openPosition,
  type Position,
  reducePosition,
} from "../../positions/position.ts";
import type { ProTrack } from "../../pro/track.ts";
import { addUsd, subtractUsd, type UnixMs } from "../../units.ts";
import type { FillKind, OrderFilled, PositionClosed } from "../event.ts";

/**
 * The order no longer rests; the position and the ledger take the fill. A position whose last
 * quantity is gone stays, empty, until `positionClosed` makes it history.
 */
export function fillOrder(state: AccountState, event: OrderFilled): AccountState {
  const before = state.positions.find((position) => position.uuid === event.positionUuid);
  const after = filledPosition(before, event);
  return {
    ...state,
    realized: addUsd(state.realized, event.realizedPnl),
    fees: addUsd(state.fees, event.fee),
    positions:
      before === undefined
        ? [...state.positions, after]
        : state.positions.map((position) => (position === before ? after : position)),
    orders: remainingOrders(state.orders, event, { before, after }),
    lastOrderAtMs: TRADERS_OWN[event.kind]
      ? { ...state.lastOrderAtMs, [event.pair]: event.atMs }
      : state.lastOrderAtMs,
    lastActiveAtMs: isForced(event.kind) ? state.lastActiveAtMs : event.atMs,
    earning: state.earning === null ? null : { ...state.earning, lastFillAtMs: event.atMs },
    pro: state.pro === null ? null : withFirstTrade(state.pro, event.atMs),
  };
}

/** The network's doing, not the trader's. */
function isForced(kind: FillKind): boolean {
  return kind === "elimination" || kind === "phaseEnd";
}

function withFirstTrade(track: ProTrack, atMs: UnixMs): ProTrack {
  const { statistics } = track;
  if (statistics === null || statistics.firstTradeAtMs !== null) return track;
  return { ...track, statistics: { ...statistics, firstTradeAtMs: atMs } };
}

/** Fills that are the order itself; the others come later, from an order already counted. */
const TRADERS_OWN: Readonly<Record<FillKind, boolean>> = {
  market: true,
  closePair: true,
  flatten: true,
  limit: false,
  stopLoss: false,
  takeProfit: false,
  elimination: false,
  phaseEnd: false,
};

function filledPosition(before: Position | undefined, event: OrderFilled): Position {
  if (event.effect === "open") {
    assert(before === undefined, "a position that is opened once");
    return openPosition(event);
  }
  assert(before !== undefined, `an open position to ${event.effect}`);
  return event.effect === "add" ? addToPosition(before, event) : reducePosition(before, event);
}

function remainingOrders(
  orders: readonly RestingOrder[],
  event: OrderFilled,
  change: { readonly before: Position | undefined; readonly after: Position },
): readonly RestingOrder[] {
  const rest = orders.filter((order) => order.uuid !== event.orderUuid);
  const { before, after } = change;
  if (before === undefined || isLegFill(event.kind)) return rest;
  return rest.map((order) =>
    order.kind === "bracket" && order.positionUuid === after.uuid
      ? followPosition(order, before.quantity, after.quantity)
      : order,
  );
}

function isLegFill(kind: FillKind): boolean {
  return kind === "stopLoss" || kind === "takeProfit";
}

/** The position becomes a trade; the sums over closed trades take it. @rule S2.4 */
export function closePosition(state: AccountState, event: PositionClosed): AccountState {
  const { trade } = event;
  const net = subtractUsd(trade.realizedPnl, trade.fees);
  return {
    ...state,
    positions: state.positions.filter((position) => position.uuid !== trade.id),
    record: {
      trades: state.record.trades + 1,
      wins: state.record.wins + (net > 0 ? 1 : 0),
      netPnl: addUsd(state.record.netPnl, net),
      // A clock that was set back in between makes no time held negative.
      heldMs: state.record.heldMs + Math.max(0, trade.closedAtMs - trade.openedAtMs),
    },
  };
}
