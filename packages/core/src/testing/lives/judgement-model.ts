/**
 * A second implementation of the rules that end or advance an account, for tests. It checks that every elimination,
 * pass, promotion and soft breach has a cause, and that every cause has its effect.
 */
import type { AccountState, FailedPhase, LossRule, Phase } from "../../state/account.ts";
import { balanceOf } from "../../state/balance.ts";
import type { Command } from "../../state/command.ts";
import type {
  AccountEliminated,
  ChallengePassed,
  DayEnded,
  Event,
  ProStarted,
} from "../../state/event.ts";
import type { Moment } from "../../state/moment.ts";
import { type AppliedEvent, isMondayMidnight } from "./applied-event.ts";
import type { DayModel } from "./day-model.ts";
import { expectNear, expectSame, expectThat } from "./expectation.ts";
import { mayJudge } from "./judging-model.ts";
import type { LedgerModel } from "./ledger-model.ts";
import type { ProModel } from "./pro-model.ts";
import { openPnlOf } from "./valuation-model.ts";

const PRO_PHASES: readonly Phase[] = [
  "proChallengeDirect",
  "proChallengeFromStandard",
  "proFunded",
];

/** The effects that the end of a day requires, and those that have happened. */
interface DayEnd {
  readonly midnightMs: number;
  readonly required: ReadonlySet<Effect>;
  readonly done: Set<Effect>;
}

type Effect = "elimination" | "softBreach" | "promotion" | "proStart";

interface Models {
  readonly ledger: LedgerModel;
  readonly day: DayModel;
  readonly pro: ProModel;
}

/** Follows one account, and compares its eliminations, passes, promotions and soft breaches with their causes. */
export class JudgementModel {
  readonly #models: Models;
  /** The account before the fills and cancellations that end it or its phase; null while neither is being ended. */
  #beforeEnd: AccountState | null = null;
  #dayEnd: DayEnd | null = null;
  /** Whether the command in progress has ended a day or charged carry. */
  #hasDoneDueWork = false;
  #idleSinceMs: number | null = null;
  /** The start of the transition in progress; null outside a transition. */
  #transitionFromMs: number | null = null;

  constructor(models: Models) {
    this.#models = models;
  }

  /** Checks an event. It must run after the other models have taken the event. */
  take(applied: AppliedEvent, command: Command): void {
    const { event, before } = applied;
    if (isForced(event)) this.#beforeEnd ??= before;
    const judged = this.#beforeEnd ?? before;
    if (judged !== null && isJudgement(event)) {
      expectThat(mayJudge(judged.positions, applied.moment), `prices for ${event.type}`);
    }
    if (isActivity(event)) this.#idleSinceMs = event.atMs;
    if (event.type === "proOffered") this.#transitionFromMs = event.atMs;
    if (event.type === "proStarted") this.#endTransition(event.startMs);
    this.#takeDayEnd(applied, command);
    if (event.type === "accountEliminated") this.#eliminate(event, applied, command);
    if (event.type === "challengePassed") this.#pass(event, applied, command);
    if (ENDINGS.has(event.type)) this.#beforeEnd = null;
  }

  #takeDayEnd(applied: AppliedEvent, command: Command): void {
    const { event, before, moment } = applied;
    if (event.type === "dayEnded" || event.type === "carryCharged") {
      if (this.#hasDoneDueWork && before !== null) this.#expectNothingPending(before, moment);
      this.#hasDoneDueWork = true;
    }
    if (event.type === "dayEnded") {
      this.#checkDayEnd();
      const { midnightMs } = event;
      this.#dayEnd = { midnightMs, required: this.#requiredBy(event, applied), done: new Set() };
    }
    if (event.type === "cycleClosed" && this.#dayEnd?.required.has("softBreach")) {
      expectThat(
        this.#dayEnd.done.has("softBreach"),
        "the last day is judged before its week is closed",
      );
    }
    if (event.type === "proStarted") this.#startPro(event, command);
    if (event.type === "softBreached") this.#dayEnd?.done.add("softBreach");
    if (event.type === "proPromoted" && event.by === "operator") {
      expectSame(command.type, "promote", "the command of a promotion by the operator");
    }
    if (event.type === "proPromoted" && event.by === "objectives") {
      this.#dayEnd?.done.add("promotion");
    }
  }

  /**
   * Checks that every event that the command requires has happened. Call this after a command that judges the account.
   * @throws when a consequence is missing
   */
  check(state: AccountState, moment: Moment): void {
    this.#checkDayEnd();
    this.#hasDoneDueWork = false;
    expectSame(state.idleSinceMs, this.#idleSinceMs, "since when the account is idle");
    if (state.status === "active") this.#expectNothingPending(state, moment);
  }

  /**
   * Checks that the present equity requires no further event.
   * @throws when it requires an event that has not happened
   */
  #expectNothingPending(state: AccountState, moment: Moment): void {
    if (!mayJudge(state.positions, moment)) return;
    const open = openPnlOf(state.positions, moment);
    expectThat(open !== null, "prices that judge give an equity");
    const equity = balanceOf(state) + open;
    expectSame(liveBreach(state, equity), null, "the limit that live equity breaches");
    const { highWater } = state.endOfDay;
    const maxDrawdown = state.pro?.statistics?.maxDrawdown ?? Number.POSITIVE_INFINITY;
    expectThat(
      (highWater - equity) / highWater <= maxDrawdown + 1e-9,
      "the maximum drawdown is recorded",
    );
    if (state.phase !== "challenge") return;
    expectThat(!reachesTarget(state, equity), "a challenge passes when its target is reached");
  }

  /** Moves the time of the last activity, because the part of a transition after that time does not count as idle. */
  #endTransition(endMs: number): void {
    const fromMs = this.#transitionFromMs;
    this.#transitionFromMs = null;
    if (fromMs === null || this.#idleSinceMs === null) return;
    this.#idleSinceMs += endMs - Math.max(fromMs, this.#idleSinceMs);
  }

  #startPro({ startMs, phase }: ProStarted, command: Command): void {
    const isTimely = phase === "proChallengeFromStandard" && startMs === this.#dayEnd?.midnightMs;
    if (!isTimely || this.#dayEnd === null) return;
    // The operator may start the pro account at any time, even at midnight.
    if (command.type === "promote" && !this.#dayEnd.required.has("proStart")) return;
    this.#dayEnd.done.add("proStart");
  }

  #checkDayEnd(): void {
    if (this.#dayEnd === null) return;
    const { required, done } = this.#dayEnd;
    expectSame([...done].sort().join(), [...required].sort().join(), "the effects of a day's end");
    this.#dayEnd = null;
  }

  #requiredBy({ equity, midnightMs }: DayEnded, { after }: AppliedEvent): ReadonlySet<Effect> {
    const { day, ledger, pro } = this.#models;
    expectSame(after.day.startMs, midnightMs, "the start of the new day at midnight");
    if (measuresDayEnds(after) && isBeyond(day.highWater, equity, phaseTermsOf(after).maxLossPct)) {
      return new Set(["elimination"]);
    }
    const endsAtMs = after.pro?.transition?.endsAtMs ?? Number.POSITIVE_INFINITY;
    if (isMondayMidnight(midnightMs) && endsAtMs <= midnightMs) return new Set(["proStart"]);
    if (after.pro === null || !PRO_PHASES.includes(after.phase)) return new Set();
    const profit = Math.min(ledger.balance, equity) - ledger.size;
    const { isMet, isMissed } = pro.verdict(after.pro, { profit, equity });
    if (after.phase === "proFunded") return new Set(isMissed ? ["softBreach"] : []);
    return new Set(isMet ? ["promotion"] : []);
  }

  #eliminate(
    { elimination, atMs }: AccountEliminated,
    applied: AppliedEvent,
    command: Command,
  ): void {
    const { before, moment } = applied;
    const { cause, drawdownPct } = elimination;
    expectThat(before !== null && before.elimination === null, "an account is eliminated once");
    if (command.type === "eliminateAccount") {
      expectThat(cause.kind === "operator", "an elimination by the operator");
      expectSame(cause.reason, command.reason, "the operator's reason");
      expectSame(elimination.atMs, atMs, "the time of an elimination by the operator");
      expectSame(drawdownPct, null, "the drawdown of an elimination without a breach");
      return;
    }
    if (cause.kind === "inactivity") {
      expectSame(this.#transitionFromMs, null, "a transition does not count as inactivity");
      const dueMs = (this.#idleSinceMs ?? Number.NaN) + before.terms.inactivityMs;
      expectSame(elimination.atMs, dueMs, "the time of an elimination for inactivity");
      expectThat(dueMs <= moment.now, "an account does not end for inactivity early");
      expectSame(drawdownPct, null, "the drawdown of an elimination without a breach");
      return;
    }
    this.#expectBreach(elimination, applied);
  }

  #expectBreach(
    elimination: AccountEliminated["elimination"],
    { before, moment }: AppliedEvent,
  ): void {
    const beforeEnd = this.#beforeEnd ?? before;
    expectThat(beforeEnd !== null, "an elimination has an account before it");
    const { cause } = elimination;
    expectThat(cause.kind === "lossLimit", "an elimination by a limit");
    expectSame(cause.phase, failedPhase(beforeEnd.phase), "the phase of an elimination");
    const { day } = this.#models;
    if (cause.rule === "endOfDayTrailing") {
      expectSame(elimination.atMs, beforeEnd.day.startMs, "the time of an elimination at midnight");
      this.#dayEnd?.done.add("elimination");
      const used = day.highWater - day.lastMidnightEquity;
      expectNear(elimination.drawdownPct ?? -1, (used * 100) / day.highWater, PERCENT);
      expectSame(
        cause.measured,
        day.lastMidnightEquity,
        "the equity that ended an account at midnight",
      );
      return;
    }
    const open = openPnlOf(beforeEnd.positions, moment);
    expectThat(open !== null, "a breach needs a known equity");
    const breach = liveBreach(beforeEnd, balanceOf(beforeEnd) + open);
    expectThat(breach !== null, "an elimination needs a breached limit");
    expectSame(cause.rule, breach.rule, "the limit of an elimination");
    expectSame(elimination.atMs, moment.now, "the time of an elimination by a limit");
    expectSame(cause.measured, balanceOf(beforeEnd) + open, "the equity that ended an account");
    expectNear(elimination.drawdownPct ?? -1, breach.usedPct, PERCENT);
  }

  #pass({ by }: ChallengePassed, { before, moment }: AppliedEvent, command: Command): void {
    const beforeEnd = this.#beforeEnd ?? before;
    expectThat(beforeEnd !== null && beforeEnd.phase === "challenge", "only a challenge passes");
    if (by === "operator") {
      expectSame(command.type, "promote", "the command of a pass by the operator");
      return;
    }
    const open = openPnlOf(beforeEnd.positions, moment);
    expectThat(open !== null, "a pass needs a known equity");
    expectThat(
      reachesTarget(beforeEnd, balanceOf(beforeEnd) + open),
      "a pass needs a reached target",
    );
  }
}

const PERCENT = { within: 1e-9, what: "the drawdown of an elimination" };

const ENDINGS: ReadonlySet<Event["type"]> = new Set([
  "accountEliminated",
  "accountClosed",
  "challengePassed",
  "proStarted",
]);

/** Whether the event is a fill, a cancellation or a forfeiture that the end of an account or of a phase causes. */
function isForced(event: Event): boolean {
  if (event.type === "orderFilled")
    return event.kind === "elimination" || event.kind === "phaseEnd";
  if (event.type === "orderCancelled") {
    return event.reason === "accountEnded" || event.reason === "phaseEnded";
  }
  return event.type === "deferralForfeited";
}

const JUDGEMENTS: ReadonlySet<Event["type"]> = new Set([
  "carryCharged",
  "challengePassed",
  "cycleClosed",
  "dayEnded",
  "drawdownDeepened",
  "limitNeared",
  "proPromoted",
  "proStarted",
]);

/** Whether prices decided the event. The operator may end an account without prices. */
function isJudgement(event: Event): boolean {
  if (event.type !== "accountEliminated") return JUDGEMENTS.has(event.type);
  return event.elimination.cause.kind !== "operator";
}

const ACTIVITIES: ReadonlySet<Event["type"]> = new Set([
  "orderPlaced",
  "orderEdited",
  "legsAttached",
  "orderFilled",
]);

/**
 * Whether the event counts as an activity of the trader: an order that is placed or edited, legs that are attached, or
 * a fill. Fills by an elimination, by the end of a phase or by the switch do not count.
 */
function isActivity(event: Event): boolean {
  const isOfSwitch = event.type === "orderFilled" && event.kind === "switch";
  return ACTIVITIES.has(event.type) && !isForced(event) && !isOfSwitch;
}

/** The target and limits of the account's phase. */
export function phaseTermsOf({ phase, terms }: AccountState): AccountState["terms"]["challenge"] {
  return phase.includes("hallenge") ? terms.challenge : terms.funded;
}

/** Whether the maximum loss of the account is measured at the end of each day. */
export function measuresDayEnds({ phase, terms }: AccountState): boolean {
  return PRO_PHASES.includes(phase) || terms.criteria === "trailing";
}

/** Whether the loss is beyond the limit. The percents of the test programs are whole, so the comparison is exact. */
function isBeyond(anchor: number, measured: number, limitPct: number): boolean {
  return anchor > 0 && (anchor - measured) * 100 > anchor * limitPct;
}

/** The limit that live equity breaches, with the lost percentage; null when it breaches none. */
export function liveBreach(
  state: AccountState,
  equity: number,
): { readonly rule: LossRule; readonly usedPct: number } | null {
  const { dailyLossPct, maxLossPct } = phaseTermsOf(state);
  const { startEquity } = state.day;
  if (isBeyond(startEquity, equity, dailyLossPct)) {
    return { rule: "dailyLoss", usedPct: ((startEquity - equity) * 100) / startEquity };
  }
  const { size } = state.terms;
  if (!measuresDayEnds(state) && isBeyond(size, equity, maxLossPct)) {
    return { rule: "staticLoss", usedPct: ((size - equity) * 100) / size };
  }
  return null;
}

/** Whether balance and equity have both reached the target of the challenge. */
export function reachesTarget({ terms, realized, fees }: AccountState, equity: number): boolean {
  const { profitTargetPct } = terms.challenge;
  if (profitTargetPct === null) return false;
  const target = Math.round((terms.size * profitTargetPct) / 100);
  return Math.min(realized - fees, equity - terms.size) >= target;
}

function failedPhase(phase: Phase): FailedPhase {
  if (phase === "proFunded") return "proFunded";
  if (PRO_PHASES.includes(phase)) return "proChallenge";
  return phase === "challenge" ? "challenge" : "funded";
}
