import type { PositionUuid } from "../ids.ts";
import type { AccountState } from "../state/account.ts";
import type { SwitchArmed, SwitchFired, SwitchSuspended } from "../state/switch-event.ts";

/**
 * The account with an armed switch. Positions that an earlier switch still has to close are not affected.
 * @rule D9.cancelAllAfter
 */
export function applySwitchArmed(state: AccountState, event: SwitchArmed): AccountState {
  const { deadlineMs: atMs, action } = event;
  const armedSwitch = { atMs, action, spanMs: atMs - event.atMs };
  return { ...withoutSwitch(state), armedSwitch };
}

/** The account with a suspended switch instead of the armed one. */
export function applySwitchSuspended(state: AccountState, event: SwitchSuspended): AccountState {
  const { action, spanMs } = event;
  return { ...withoutSwitch(state), suspendedSwitch: { action, spanMs } };
}

/**
 * The account without a switch. Positions that an earlier switch still had to close stay open. @rule D9.cancelAllAfter
 */
export function applySwitchEnded(state: AccountState): AccountState {
  return withPendingCloses(withoutSwitch(state), []);
}

/** The account after its switch has acted. The positions in `waiting` still have to be closed. */
export function applySwitchFired(state: AccountState, { waiting }: SwitchFired): AccountState {
  const positions = waiting.map(({ positionUuid }) => positionUuid);
  const before = (state.closing ?? []).filter((uuid) => !positions.includes(uuid));
  return withPendingCloses(withoutSwitch(state), [...before, ...positions]);
}

/** The account without an armed or suspended switch. */
export function withoutSwitch(state: AccountState): AccountState {
  const { armedSwitch: _armed, suspendedSwitch: _suspended, ...rest } = state;
  return rest;
}

/** The account after this position has closed, so that a fired switch no longer has to close it. */
export function withoutPendingClose(state: AccountState, uuid: PositionUuid): AccountState {
  if (state.closing === undefined) return state;
  return withPendingCloses(
    state,
    state.closing.filter((one) => one !== uuid),
  );
}

/**
 * The account with the positions that a switch has to close. When there are none, the field `closing` is absent, as it
 * is before the first switch.
 */
function withPendingCloses(state: AccountState, closing: readonly PositionUuid[]): AccountState {
  const { closing: _before, ...rest } = state;
  return closing.length === 0 ? rest : { ...rest, closing };
}
