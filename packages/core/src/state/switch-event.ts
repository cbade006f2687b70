/** The events of the dead man's switch. */
import type { PairId, PositionUuid } from "../ids.ts";
import type { UnixMs } from "../units.ts";
import type { SwitchAction } from "./account.ts";

/** The dead man's switch was armed, or armed again with another deadline or action. @rule D9.cancelAllAfter */
export interface SwitchArmed {
  readonly type: "switchArmed";
  readonly atMs: UnixMs;
  readonly deadlineMs: UnixMs;
  readonly action: SwitchAction;
}

/** An operator paused the keys that could renew the switch, so it is suspended. @rule D13.switchSuspended */
export interface SwitchSuspended {
  readonly type: "switchSuspended";
  readonly atMs: UnixMs;
  readonly action: SwitchAction;
  /** The time from the next arming to the deadline. */
  readonly spanMs: number;
}

/** The trader ended the dead man's switch. Positions that an earlier switch still had to close stay open. */
export interface SwitchEnded {
  readonly type: "switchEnded";
  readonly atMs: UnixMs;
}

/**
 * The deadline of the switch has passed. This event precedes the cancellations and fills that the switch causes.
 * @rule D9.cancelAllAfter
 */
export interface SwitchFired {
  readonly type: "switchFired";
  readonly atMs: UnixMs;
  /** The deadline of the switch; `atMs` is later when the work ran late. */
  readonly dueMs: UnixMs;
  readonly action: SwitchAction;
  /**
   * Positions that the switch has to close and whose market is closed or has no fresh quote; each closes at the first
   * fresh quote of its open market.
   */
  readonly waiting: readonly { readonly positionUuid: PositionUuid; readonly pair: PairId }[];
}
