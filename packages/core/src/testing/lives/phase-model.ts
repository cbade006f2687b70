/**
 * Checks in tests the states and phases of an account, the events that end it, and the high-water marks, which never
 * fall.
 */
import type { AccountState, Phase } from "../../state/account.ts";
import type { Command } from "../../state/command.ts";
import type { CycleClosed, Event } from "../../state/event.ts";
import { type AppliedEvent, isMondayMidnight, restartsLedger } from "./applied-event.ts";
import { cycleEndMs } from "./cycle-end.ts";
import { expectSame, expectThat } from "./expectation.ts";

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

/** The events that are possible in a status; null when all are possible. */
const POSSIBLE_EVENTS: Readonly<Record<AccountState["status"], readonly Event["type"][] | null>> = {
  provisioning: ["accountProvisioned", "accountEliminated", "accountClosed"],
  active: null,
  eliminated: ["payoutRecorded", "accountClosed"],
  closed: ["payoutRecorded"],
};

const EMPTYING_EVENTS: ReadonlySet<Event["type"]> = new Set([
  "accountEliminated",
  "accountClosed",
  "challengePassed",
  "proStarted",
]);

/**
 * Checks an event against the status and phase of the account.
 * @throws when the event is not possible in them
 */
export function checkPhases({ event, before, after, next }: AppliedEvent, command: Command): void {
  if (before === null) {
    expectSame(event.type, "accountOpened", "the first event of an account");
    return;
  }
  const allowed = POSSIBLE_EVENTS[before.status];
  expectThat(
    allowed?.includes(event.type) ?? true,
    `${event.type} is possible for an account that is ${before.status}`,
  );
  expectSame(
    after.elimination,
    before.elimination ?? after.elimination,
    "an elimination, which never changes",
  );
  if (EMPTYING_EVENTS.has(event.type)) {
    expectSame(after.orders.length, 0, `the pending orders after ${event.type}`);
    expectSame(after.positions.length, 0, `the open positions after ${event.type}`);
  }
  const moves = NEXT_PHASES[event.type];
  const isMove = moves?.some(([from, to]) => from === before.phase && to === after.phase);
  expectThat(
    isMove ?? before.phase === after.phase,
    `${before.phase} → ${event.type} → ${after.phase}`,
  );
  if (event.type === "proOffered") {
    const { transitionEndsAtMs, atMs } = event;
    expectThat(isMondayMidnight(transitionEndsAtMs), "a transition ends on a Monday");
    expectThat(transitionEndsAtMs > atMs, "a transition ends after its offer");
    expectThat(transitionEndsAtMs - atMs <= 7 * DAY_MS, "a transition ends on the next Monday");
  }
  if (event.type === "proStarted" && command.type !== "promote" && command.type !== "offerPro") {
    expectThat(isMondayMidnight(event.startMs), "a pro account starts on a Monday");
  }
  if (event.type === "cycleClosed" && !endsPhase(next, event)) {
    expectThat(isMondayMidnight(event.periodEndMs), "a cycle ends on a Monday or with its phase");
  }
  if (event.type === "orderFilled" && before.phase === "proTransition") {
    expectThat(
      event.effect === "reduce" || event.effect === "close",
      "an order in a transition only reduces",
    );
  }
}

function endsPhase(event: Event | null, cycle: CycleClosed): boolean {
  const at = cycleEndMs(cycle);
  if (event?.type === "proStarted") return event.startMs === at;
  if (event?.type === "proPromoted") return event.promotedMs === at;
  const isClosing = event?.type === "accountClosed" || event?.type === "deferralForfeited";
  return isClosing && event.atMs === at;
}

/**
 * Checks the floors, the marks and the terms of an account after an event that does not restart it.
 * @throws when a floor moved at another time than midnight, a high-water mark or a payout mark fell, or the terms
 * changed
 */
export function checkMarks({ event, before, after }: AppliedEvent): void {
  if (before === null || restartsLedger(event)) return;
  const isMidnight = event.type === "dayEnded";
  const isFirstDay = event.type === "accountProvisioned";
  if (!isMidnight && !isFirstDay) {
    expectSame(after.day, before.day, "the daily floor between two midnights");
    expectSame(after.endOfDay, before.endOfDay, "the trailing floor between two midnights");
  }
  expectThat(
    after.endOfDay.highWater >= before.endOfDay.highWater,
    "the high-water mark never falls",
  );
  expectSame(after.terms, before.terms, "the terms, which change only at a restart");
  const marks = [before.earning?.mark, after.earning?.mark];
  if (event.type !== "proPromoted" && marks.every((mark) => mark !== undefined)) {
    const [from = 0, to = 0] = marks;
    expectThat(to >= from, "the mark of the payouts never falls");
  }
}

/**
 * Checks the pending orders of an account in its transition.
 * @throws when one of them would open or add
 */
export function checkTransition({ phase, orders, positions }: AccountState): void {
  if (phase !== "proTransition") return;
  for (const order of orders) {
    if (order.kind === "bracket") continue;
    const open = positions.find(({ pair }) => pair === order.pair);
    // An order whose position was closed stays pending, and is rejected when it triggers.
    if (open !== undefined) {
      expectThat(open.direction !== order.direction, "a pending order in a transition reduces");
    }
  }
}
