/** The states and phases of an account, what ends them for ever, and the marks that only ever rise. */
import type { AccountState, Phase } from "../../state/account.ts";
import type { Command } from "../../state/command.ts";
import type { Event } from "../../state/event.ts";
import { type AppliedEvent, isMonday, restartsLedger } from "./applied-event.ts";
import { holds, same } from "./expectation.ts";

const DAY_MS = 86_400_000;

const NEXT_PHASES: Readonly<Partial<Record<Event["type"], readonly (readonly [Phase, Phase])[]>>> =
  {
    challengePassed: [["challenge", "funded"]],
    proOffered: [["funded", "proTransition"]],
    proStarted: [
      ["challenge", "proChallengeDirect"],
      ["proTransition", "proChallengeFromStandard"],
    ],
    proPromoted: [
      ["proChallengeDirect", "proFunded"],
      ["proChallengeFromStandard", "proFunded"],
    ],
  };

/** What may still happen in a state; null: everything but an opening. */
const LAST_EVENTS: Readonly<Record<AccountState["status"], readonly Event["type"][] | null>> = {
  provisioning: ["accountProvisioned", "accountEliminated", "accountClosed"],
  active: null,
  eliminated: ["payoutRecorded", "accountClosed"],
  closed: ["payoutRecorded"],
};

const CLEAN_ENDS: ReadonlySet<Event["type"]> = new Set([
  "accountEliminated",
  "accountClosed",
  "challengePassed",
  "proStarted",
]);

/** @throws when one event took the account where it may not go. */
export function checkPhases({ event, before, after, next }: AppliedEvent, command: Command): void {
  if (before === null) {
    same(event.type, "accountOpened", "the first event of an account");
    return;
  }
  const allowed = LAST_EVENTS[before.status];
  holds(
    allowed?.includes(event.type) ?? true,
    `${event.type} of an account that is ${before.status}`,
  );
  same(after.elimination, before.elimination ?? after.elimination, "an elimination, for ever");
  if (CLEAN_ENDS.has(event.type)) {
    same(after.orders.length, 0, `what rests at ${event.type}`);
    same(after.positions.length, 0, `what is open at ${event.type}`);
  }
  const moves = NEXT_PHASES[event.type];
  const isMove = moves?.some(([from, to]) => from === before.phase && to === after.phase);
  holds(isMove ?? before.phase === after.phase, `${before.phase} → ${event.type} → ${after.phase}`);
  if (event.type === "proOffered") {
    const { transitionEndsAtMs, atMs } = event;
    holds(isMonday(transitionEndsAtMs), "a transition ends on a Monday");
    holds(transitionEndsAtMs > atMs, "a transition ends after it was offered");
    holds(transitionEndsAtMs - atMs <= 7 * DAY_MS, "a transition ends on the next Monday");
  }
  if (event.type === "proStarted" && command.type !== "promote" && command.type !== "offerPro") {
    holds(isMonday(event.startMs), "a pro account starts on a Monday");
  }
  if (event.type === "cycleClosed" && !endsPhase(next, event.periodEndMs)) {
    holds(isMonday(event.periodEndMs), "a cycle ends on a Monday, or with its phase");
  }
  if (event.type === "orderFilled" && before.phase === "proTransition") {
    holds(event.effect === "reduce" || event.effect === "close", "a transition only winds down");
  }
}

function endsPhase(event: Event | null, at: number): boolean {
  if (event?.type === "proStarted") return event.startMs === at;
  return event?.type === "proPromoted" && event.promotedMs === at;
}

/** @throws when a floor moved at another time than it may, or a mark fell. */
export function checkMarks({ event, before, after }: AppliedEvent): void {
  if (before === null || restartsLedger(event)) return;
  const isMidnight = event.type === "dayEnded";
  const isFirstDay = event.type === "accountProvisioned";
  if (!isMidnight && !isFirstDay) {
    same(after.day, before.day, "a daily floor between two midnights");
    same(after.endOfDay, before.endOfDay, "a trailing floor between two midnights");
  }
  holds(after.endOfDay.highWater >= before.endOfDay.highWater, "a high-water mark never falls");
  same(after.terms, before.terms, "the terms within a ledger");
  const marks = [before.earning?.mark, after.earning?.mark];
  if (event.type !== "proPromoted" && marks.every((mark) => mark !== undefined)) {
    const [from = 0, to = 0] = marks;
    holds(to >= from, "the mark of the payouts never falls");
  }
}

/** @throws when an order rests that would open or add while the account winds down. */
export function checkTransition({ phase, orders, positions }: AccountState): void {
  if (phase !== "proTransition") return;
  for (const order of orders) {
    if (order.kind === "bracket") continue;
    const open = positions.find(({ pair }) => pair === order.pair);
    // What reduced a position when it was placed rests on when that is gone, and is refused then.
    if (open !== undefined) {
      holds(open.direction !== order.direction, "an order that rests in a transition reduces");
    }
  }
}
