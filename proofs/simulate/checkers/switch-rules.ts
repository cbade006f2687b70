/** The dead man's switch in the small model: it fires once, not early, and before every event that comes later. */
import type { Event, OrderFilled } from "@propgate/core";
import type { ModelAccount } from "./account-model.ts";

/**
 * Events of commands other than `passTime`, settlements included. Due work is done before each of these commands, so an
 * armed switch must not be overdue at these events.
 */
const COMMANDED: ReadonlySet<Event["type"]> = new Set([
  "orderPlaced",
  "orderEdited",
  "orderRejected",
  "legsAttached",
  "stopTriggered",
  "switchArmed",
  "switchEnded",
]);
const COMMANDED_FILLS: ReadonlySet<OrderFilled["kind"]> = new Set([
  "market",
  "limit",
  "stopLoss",
  "takeProfit",
  "closePair",
  "flatten",
]);

/**
 * The problems of an event by the rules of the dead man's switch, such as a firing before its deadline or a command
 * after a deadline at which the switch has not fired.
 */
export function switchEventProblems(before: ModelAccount, event: Event): readonly string[] {
  const { armed, closing } = before;
  const isLate = armed !== null && armed.atMs <= event.atMs && isCommanded(event);
  if (isLate) return [`the switch of ${armed.atMs} has not fired`];
  if (event.type === "switchArmed") return armingProblems(armed, event);
  if (event.type === "switchEnded") {
    return armed === null && closing.size === 0 ? ["there was no switch to end"] : [];
  }
  if (event.type === "switchFired") return firingProblems(armed, event);
  if (event.type === "orderFilled" && event.kind === "switch") {
    return closing.has(event.positionUuid) ? [] : ["no switch closes this position"];
  }
  return [];
}

function firingProblems(
  armed: ModelAccount["armed"],
  { dueMs, action, atMs }: Extract<Event, { type: "switchFired" }>,
): readonly string[] {
  if (armed === null) return ["no switch was armed"];
  const isAsArmed = armed.atMs === dueMs && armed.action === action;
  if (!isAsArmed) return [`the switch was armed for ${armed.atMs} and ${armed.action}`];
  return dueMs <= atMs ? [] : ["fired before its deadline"];
}

function armingProblems(
  armed: ModelAccount["armed"],
  { deadlineMs, atMs, action }: Extract<Event, { type: "switchArmed" }>,
): readonly string[] {
  const spanMs = deadlineMs - atMs;
  if (spanMs <= 0) return ["armed for the past"];
  const movedMs = armed?.action === action ? deadlineMs - armed.atMs : spanMs;
  return movedMs >= 0 && movedMs < spanMs / 10 ? [`a renewal by ${movedMs} ms of ${spanMs}`] : [];
}

function isCommanded(event: Event): boolean {
  if (event.type === "orderFilled") return COMMANDED_FILLS.has(event.kind);
  if (event.type === "orderCancelled") return event.reason === "owner";
  return COMMANDED.has(event.type);
}

/** The fields about the dead man's switch that the event changes in the model, with their new values. */
export function switchFieldsAfter(before: ModelAccount, event: Event): Partial<ModelAccount> {
  const { closing, held } = before;
  if (event.type === "switchArmed") {
    return { armed: { atMs: event.deadlineMs, action: event.action } };
  }
  if (event.type === "switchSuspended") return { armed: null };
  if (event.type === "switchEnded") return { armed: null, closing: new Set() };
  if (event.type === "switchFired") {
    const isFlatten = event.action === "flatten";
    return { armed: null, closing: isFlatten ? new Set([...closing, ...held.keys()]) : closing };
  }
  if (event.type === "positionClosed") {
    return { closing: new Set([...closing].filter((uuid) => uuid !== event.trade.id)) };
  }
  return ENDS.has(event.type) ? { armed: null } : {};
}

const ENDS: ReadonlySet<Event["type"]> = new Set(["accountEliminated", "accountClosed"]);
