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
 * Arms the switch with a deadline that counts from now and replaces the one before. A small renewal records nothing,
 * and neither does ending a switch that is not armed. @rule D9.cancelAllAfter D12.smallRenewal
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

/** A renewal that moves the deadline by less than this share of its span is small. */
const SMALL_SHARE = 10;

/**
 * Whether the armed switch already matches the request, with a deadline that is earlier by at most a tenth of the
 * requested time. So heartbeats write at most ten lines in their span. An earlier deadline always counts: it makes the
 * account safer. @rule D12.smallRenewal decides
 */
function isSmallRenewal(
  armed: ArmedSwitch | undefined,
  wanted: { readonly deadlineMs: UnixMs; readonly afterMs: number; readonly action: SwitchAction },
): boolean {
  if (armed === undefined || armed.action !== wanted.action) return false;
  const movedMs = wanted.deadlineMs - armed.atMs;
  return movedMs >= 0 && movedMs * SMALL_SHARE < wanted.afterMs;
}

/**
 * The trader cannot renew the switch while the keys are paused, so it does not run. Does nothing when no switch is
 * armed. @rule D13.switchSuspended decides
 */
export function suspendSwitch(draft: Draft): Result<null, Refusal> {
  const { armedSwitch } = draft.state;
  if (armedSwitch === undefined) return ok(null);
  const { action, spanMs } = armedSwitch;
  draft.record({ type: "switchSuspended", action, spanMs });
  return ok(null);
}

/** @rule D13.switchSuspended */
export function resumeSwitch(draft: Draft): Result<null, Refusal> {
  const { suspendedSwitch } = draft.state;
  if (suspendedSwitch === undefined) return ok(null);
  const { action, spanMs } = suspendedSwitch;
  const deadlineMs = unixMs(draft.moment.now + spanMs);
  draft.record({ type: "switchArmed", deadlineMs, action });
  return ok(null);
}

/** When the switch of the account acts; null while it is not armed. */
export function switchDueMs({ armedSwitch }: Pick<AccountState, "armedSwitch">): UnixMs | null {
  return armedSwitch?.atMs ?? null;
}

/**
 * Cancels every pending order and, with `flatten`, closes every position with a live market. The others
 * close at their first live quote. @rule D9.cancelAllAfter decides
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
  // Entries first: an order that is cancelled cannot be held. The legs end with their positions.
  if (action === "flatten") cancel(draft, (order) => order.kind !== "bracket");
  closeAll(draft, closing);
  cancel(draft, () => true);
}

/** Closes the positions that a fired switch left open, as soon as their market is live. @rule D9.cancelAllAfter */
export function closeWaiting(draft: Draft): void {
  const { closing: waiting, positions } = draft.state;
  if (waiting === undefined) return;
  const named = positions.filter(({ uuid }) => isClosing(draft.state, uuid));
  closeAll(draft, flattenPlan(named, draft.moment).closing);
}

/** Whether a fired switch closes this position at its first live quote. */
export function isClosing({ closing }: Pick<AccountState, "closing">, uuid: PositionUuid): boolean {
  return closing?.includes(uuid) ?? false;
}

function closeAll(draft: Draft, closing: FlattenPlan["closing"]): void {
  for (const { position, market } of closing) {
    const orderUuid = exitUuid(position.uuid, "switch");
    exitAtMarket(draft, { orderUuid, kind: "switch", position, market });
  }
}

function cancel(draft: Draft, isMeant: (order: PendingOrder) => boolean): void {
  for (const { uuid: orderUuid } of draft.state.orders.filter(isMeant)) {
    draft.record({ type: "orderCancelled", orderUuid, reason: "switch", detail: null });
  }
}
