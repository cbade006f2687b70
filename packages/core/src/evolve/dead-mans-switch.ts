import type { PositionUuid } from "../ids.ts";
import type { AccountState } from "../state/account.ts";
import type { SwitchArmed, SwitchFired, SwitchSuspended } from "../state/switch-event.ts";

/** Positions that an earlier switch is closing stay so. @rule D9.cancelAllAfter */
export function switchArmed(state: AccountState, event: SwitchArmed): AccountState {
  const { deadlineMs: atMs, action } = event;
  const armedSwitch = { atMs, action, spanMs: atMs - event.atMs };
  return { ...withoutSwitch(state), armedSwitch };
}

export function switchSuspended(state: AccountState, event: SwitchSuspended): AccountState {
  const { action, spanMs } = event;
  return { ...withoutSwitch(state), suspendedSwitch: { action, spanMs } };
}

/** Also ends the closing of positions that still wait for a quote. @rule D9.cancelAllAfter */
export function switchEnded(state: AccountState): AccountState {
  return withClosing(withoutSwitch(state), []);
}

export function switchFired(state: AccountState, { waiting }: SwitchFired): AccountState {
  const positions = waiting.map(({ positionUuid }) => positionUuid);
  const before = (state.closing ?? []).filter((uuid) => !positions.includes(uuid));
  return withClosing(withoutSwitch(state), [...before, ...positions]);
}

/** The account without a switch, such as one that has ended. */
export function withoutSwitch(state: AccountState): AccountState {
  const { armedSwitch: _armed, suspendedSwitch: _suspended, ...rest } = state;
  return rest;
}

/** The account after this position has closed. */
export function withoutClosing(state: AccountState, uuid: PositionUuid): AccountState {
  if (state.closing === undefined) return state;
  return withClosing(
    state,
    state.closing.filter((one) => one !== uuid),
  );
}

/** Without the field when nothing is closing, as in every state before the first switch. */
function withClosing(state: AccountState, closing: readonly PositionUuid[]): AccountState {
  const { closing: _before, ...rest } = state;
  return closing.length === 0 ? rest : { ...rest, closing };
}
