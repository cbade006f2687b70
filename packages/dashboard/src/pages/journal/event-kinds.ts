/** The kinds of entries, in the order of the filter. */
export const EVENT_KINDS = ["orders", "fills", "days", "payouts", "account"] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const KIND_NAMES: Readonly<Record<EventKind, string>> = {
  orders: "Orders",
  fills: "Fills and positions",
  days: "Days and carry",
  payouts: "Payouts",
  account: "Account and phases",
};

const KIND_OF: Readonly<Record<string, EventKind>> = {
  orderPlaced: "orders",
  orderEdited: "orders",
  orderCancelled: "orders",
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
};

/** Openings, phases, ends and all other events of an account. */
export function kindOf(type: string): EventKind {
  return KIND_OF[type] ?? "account";
}

/** `orderFilled` as words: `order filled`. */
export function typeText(type: string): string {
  return type.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
