import type { Event } from "@propgate/core";

/** The kinds of journal entries, in the order of the filter. */
export const EVENT_KINDS = ["orders", "fills", "days", "payouts", "account"] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const KIND_NAMES: Readonly<Record<EventKind, string>> = {
  orders: "Orders",
  fills: "Fills and positions",
  days: "Days and carry",
  payouts: "Payouts",
  account: "Account and phases",
};

const KIND_OF: Readonly<Record<Event["type"], EventKind>> = {
  orderPlaced: "orders",
  orderEdited: "orders",
  orderCancelled: "orders",
  orderRejected: "account",
  orderHeld: "account",
  stopTriggered: "orders",
  trailMoved: "orders",
  legsAttached: "orders",
  switchArmed: "orders",
  switchSuspended: "orders",
  switchEnded: "orders",
  switchFired: "orders",
  orderFilled: "fills",
  positionClosed: "fills",
  dayEnded: "days",
  carryCharged: "days",
  sharesSplit: "days",
  dividendPaid: "days",
  drawdownDeepened: "days",
  cycleClosed: "payouts",
  payoutRecorded: "payouts",
  deferralForfeited: "payouts",
  accountOpened: "account",
  accountProvisioned: "account",
  accountEliminated: "account",
  accountClosed: "account",
  challengePassed: "account",
  proOffered: "account",
  proStarted: "account",
  proPromoted: "account",
  softBreached: "account",
  limitNeared: "account",
};
const KINDS: ReadonlyMap<string, EventKind> = new Map(Object.entries(KIND_OF));

/** The kind of an event. An event of a newer service, which is not in the table, has the kind `account`. */
export function kindOf(type: string): EventKind {
  return KINDS.get(type) ?? "account";
}

/** The type of an event in words: `orderFilled` becomes `order filled`. */
export function typeText(type: string): string {
  return type.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
