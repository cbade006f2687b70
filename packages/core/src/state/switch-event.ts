/** The events of the dead man's switch. */
import type { PairId, PositionUuid } from "../ids.ts";
import type { UnixMs } from "../units.ts";
import type { SwitchAction } from "./account.ts";

/** The dead man's switch was armed, or armed again with a later deadline. @rule D9.cancelAllAfter */
export interface SwitchArmed {
  readonly type: "switchArmed";
  readonly atMs: UnixMs;
  readonly deadlineMs: UnixMs;
  readonly action: SwitchAction;
}

/** An operator paused the keys that could renew the switch, so it does not run. @rule D13.switchSuspended */
export interface SwitchSuspended {
  readonly type: "switchSuspended";
  readonly atMs: UnixMs;
  readonly action: SwitchAction;
  /** How long it runs when it is armed again. */
  readonly spanMs: number;
}

/** The trader ended the dead man's switch, and the closing of positions that still waited. */
export interface SwitchEnded {
  readonly type: "switchEnded";
  readonly atMs: UnixMs;
}

/** The deadline has passed. Precedes the cancellations and fills that it causes. @rule D9.cancelAllAfter */
export interface SwitchFired {
  readonly type: "switchFired";
  readonly atMs: UnixMs;
  /** The deadline; `atMs` is later when the work was late. */
  readonly dueMs: UnixMs;
  readonly action: SwitchAction;
  /** Positions to close that have no live market; each closes at its first live quote. */
  readonly waiting: readonly { readonly positionUuid: PositionUuid; readonly pair: PairId }[];
}
