import type { AccountState, CarriedOutAction } from "../state/account.ts";
import type { DividendPaid, SharesSplit } from "../state/event.ts";
import { holdsFromBefore } from "../state/pending-actions.ts";
import { subtractUsd } from "../units.ts";

/**
 * The account after a split: the prices and quantities of its position and orders are replaced, and the values in USD
 * stay. @rule D11.split
 */
export function applySharesSplit(state: AccountState, event: SharesSplit): AccountState {
  const { position: split } = event;
  const changed = new Map(event.orders.map((order) => [order.uuid, order]));
  return {
    ...state,
    positions: state.positions.map((position) =>
      position.uuid === split?.uuid ? { ...position, ...split } : position,
    ),
    orders: state.orders.map((order) => changed.get(order.uuid) ?? order),
    carriedOut: addCarriedOut(state, event),
  };
}

/**
 * The account after a dividend. Like carry, it is a fee of the position and of the account; a received dividend is a
 * fee below zero. @rule D11.dividend
 */
export function applyDividendPaid(state: AccountState, event: DividendPaid): AccountState {
  const { positionUuid, paid } = event;
  return {
    ...state,
    fees: subtractUsd(state.fees, paid),
    positions: state.positions.map((position) =>
      position.uuid === positionUuid
        ? { ...position, fees: subtractUsd(position.fees, paid) }
        : position,
    ),
    carriedOut: addCarriedOut(state, event),
  };
}

/**
 * The carried-out corporate actions with this one added. An earlier action is dropped once the account has no position
 * or order from before that action. @rule D11.once
 */
function addCarriedOut(
  state: AccountState,
  { actionId: id, pair, dueMs: atMs }: SharesSplit | DividendPaid,
): readonly CarriedOutAction[] {
  const before = (state.carriedOut ?? []).filter((action) => holdsFromBefore(state, action));
  return [...before, { id, pair, atMs }];
}
