import type { PositionUuid } from "../ids.ts";
import { exitAtMarket, exitUuid } from "../positions/exit.ts";
import { ok, type Result } from "../result.ts";
import type { AccountState, ArmedSwitch, SwitchAction } from "../state/account.ts";
import type { CancelAllAfter } from "../state/command.ts";
import type { Draft } from "../state/draft.ts";
import type { PendingOrder } from "../state/order.ts";
import type { Refusal } from "../state/refusal.ts";
import { type UnixMs, unixMs } from "../units.ts";
import { type FlattenPlan, flattenPlan } from "./flatten.ts";

/**
 * Arms the switch with a deadline that counts from now and replaces the earlier one, or ends the switch: the armed one,
 * a suspended one, or a fired one that still has positions to close. Nothing is recorded for a small renewal, or when
 * there is no switch to end. @rule D9.cancelAllAfter D12.smallRenewal
 */
export function cancelAllAfter(draft: Draft, command: CancelAllAfter): Result<null, Refusal> {
  const { afterMs, action } = command;
  const { armedSwitch, suspendedSwitch, closing } = draft.state;
  if (afterMs !== null) {
    const deadlineMs = unixMs(draft.moment.now + afterMs);
    if (isSmallRenewal(armedSwitch, { deadlineMs, afterMs, action })) return ok(null);
    draft.record({ type: "switchArmed", deadlineMs, action });
  } else if ([armedSwitch, suspendedSwitch, closing].some((one) => one !== undefined)) {
    draft.record({ type: "switchEnded" });
  }
  return ok(null);
}

/** A renewal is small when it moves the deadline by less than the requested time divided by this number. */
const SMALL_RENEWAL_DIVISOR = 10;

/**
 * Whether the armed switch already does nearly what is requested: the same action, at a deadline that is earlier by
 * less than a tenth of the requested time. So heartbeats record at most about ten events in that time. A request for an
 * earlier deadline is never small, because it makes the account safer. @rule D12.smallRenewal decides
 */
function isSmallRenewal(
  armed: ArmedSwitch | undefined,
  wanted: { readonly deadlineMs: UnixMs; readonly afterMs: number; readonly action: SwitchAction },
): boolean {
  if (armed === undefined || armed.action !== wanted.action) return false;
  const movedMs = wanted.deadlineMs - armed.atMs;
  return movedMs >= 0 && movedMs * SMALL_RENEWAL_DIVISOR < wanted.afterMs;
}

/**
 * Suspends an armed switch: the trader cannot renew it while the keys are paused. Does nothing when no switch is armed.
 * @rule D13.switchSuspended decides
 */
export function suspendSwitch(draft: Draft): Result<null, Refusal> {
  const { armedSwitch } = draft.state;
  if (armedSwitch === undefined) return ok(null);
  const { action, spanMs } = armedSwitch;
  draft.record({ type: "switchSuspended", action, spanMs });
  return ok(null);
}

/**
 * Arms a suspended switch again. Its deadline is its whole span from now. Does nothing when no switch is suspended.
 * @rule D13.switchSuspended
 */
export function resumeSwitch(draft: Draft): Result<null, Refusal> {
  const { suspendedSwitch } = draft.state;
  if (suspendedSwitch === undefined) return ok(null);
  const { action, spanMs } = suspendedSwitch;
  const deadlineMs = unixMs(draft.moment.now + spanMs);
  draft.record({ type: "switchArmed", deadlineMs, action });
  return ok(null);
}

/** When the armed switch of the account acts; null while none is armed. */
export function switchDueMs({ armedSwitch }: Pick<AccountState, "armedSwitch">): UnixMs | null {
  return armedSwitch?.atMs ?? null;
}

/**
 * Cancels every pending order and, with the action `flatten`, closes every position that has a live market. The other
 * positions close at their first live quote. @rule D9.cancelAllAfter decides
 */
export function fireSwitch(draft: Draft, dueMs: UnixMs): void {
  const action = draft.state.armedSwitch?.action ?? "cancel";
  const positions = action === "flatten" ? draft.state.positions : [];
  const { closing, staying } = flattenPlan(positions, draft.moment);
  const waiting = staying.map(({ position: { uuid: positionUuid, pair } }) => ({
    positionUuid,
    pair,
  }));
  draft.record({ type: "switchFired", dueMs, action, waiting });
  // Entries are cancelled before the positions close, because closing the positions would hold some of the entries
  // until the next quote instead. The legs end with their positions.
  if (action === "flatten") cancelMatching(draft, (order) => order.kind !== "bracket");
  closeAll(draft, closing);
  cancelMatching(draft, () => true);
}

/** Closes the positions that a fired switch left open and whose market is live. @rule D9.cancelAllAfter */
export function closeWaitingPositions(draft: Draft): void {
  const { closing: waiting, positions } = draft.state;
  if (waiting === undefined) return;
  const named = positions.filter(({ uuid }) => isAwaitingSwitchClose(draft.state, uuid));
  closeAll(draft, flattenPlan(named, draft.moment).closing);
}

/** Whether a fired switch still has to close this position. */
export function isAwaitingSwitchClose(
  { closing }: Pick<AccountState, "closing">,
  uuid: PositionUuid,
): boolean {
  return closing?.includes(uuid) ?? false;
}

function closeAll(draft: Draft, closing: FlattenPlan["closing"]): void {
  for (const { position, market } of closing) {
    const orderUuid = exitUuid(position.uuid, "switch");
    exitAtMarket(draft, { orderUuid, kind: "switch", position, market });
  }
}

function cancelMatching(draft: Draft, isMeant: (order: PendingOrder) => boolean): void {
  for (const { uuid: orderUuid } of draft.state.orders.filter(isMeant)) {
    draft.record({ type: "orderCancelled", orderUuid, reason: "switch", detail: null });
  }
}
