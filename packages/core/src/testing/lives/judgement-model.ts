/**
 * What has to become of an account: every elimination, pass, promotion and soft breach had its cause, and
 * every cause had its effect.
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
import { type AppliedEvent, isMonday } from "./applied-event.ts";
import type { DayModel } from "./day-model.ts";
import { holds, near, same } from "./expectation.ts";
import type { LedgerModel } from "./ledger-model.ts";
import type { ProModel } from "./pro-model.ts";
import { openPnlOf } from "./valuation-model.ts";

const PRO_PHASES: readonly Phase[] = [
  "proChallengeDirect",
  "proChallengeFromStandard",
  "proFunded",
];

/** What a day's end calls for, and whether it came. */
interface DayEnd {
  readonly midnightMs: number;
  readonly calls: ReadonlySet<Effect>;
  readonly came: Set<Effect>;
}

type Effect = "elimination" | "softBreach" | "promotion" | "proStart";

interface Models {
  readonly ledger: LedgerModel;
  readonly day: DayModel;
  readonly pro: ProModel;
}

export class JudgementModel {
  readonly #models: Models;
  /** Before the forced exits of an end that is under way. */
  #calm: AccountState | null = null;
  #dayEnd: DayEnd | null = null;
  /** Whether the command under way has done something that fell due. */
  #hasDoneDue = false;
  #lastActiveMs: number | null = null;

  constructor(models: Models) {
    this.#models = models;
  }

  /** To be told after the other models were. */
  take(told: AppliedEvent, command: Command): void {
    const { event, before } = told;
    if (isForced(event)) this.#calm ??= before;
    if (isActivity(event)) this.#lastActiveMs = event.atMs;
    this.#takeDayEnd(told, command);
    if (event.type === "accountEliminated") this.#eliminate(event, told, command);
    if (event.type === "challengePassed") this.#pass(event, told, command);
    if (ENDINGS.has(event.type)) this.#calm = null;
  }

  #takeDayEnd(told: AppliedEvent, command: Command): void {
    const { event, before, moment } = told;
    if (event.type === "dayEnded" || event.type === "carryCharged") {
      if (this.#hasDoneDue && before !== null) this.#expectPeace(before, moment);
      this.#hasDoneDue = true;
    }
    if (event.type === "dayEnded") {
      this.#checkDayEnd();
      const { midnightMs } = event;
      this.#dayEnd = { midnightMs, calls: this.#callsOf(event, told), came: new Set() };
    }
    if (event.type === "cycleClosed" && this.#dayEnd?.calls.has("softBreach")) {
      holds(this.#dayEnd.came.has("softBreach"), "a week is judged with its last day");
    }
    if (event.type === "proStarted") this.#startPro(event, command);
    if (event.type === "softBreached") this.#dayEnd?.came.add("softBreach");
    if (event.type === "proPromoted" && event.by === "operator") {
      same(command.type, "promote", "what promotes by the operator's word");
    }
    if (event.type === "proPromoted" && event.by === "objectives") {
      this.#dayEnd?.came.add("promotion");
    }
  }

  /** After a command that judges: nothing is left that would have to happen. */
  check(state: AccountState, moment: Moment): void {
    this.#checkDayEnd();
    this.#hasDoneDue = false;
    same(state.lastActiveAtMs, this.#lastActiveMs, "when the account was last active");
    if (state.status === "active") this.#expectPeace(state, moment);
  }

  /** @throws when live equity asks for something that has not been done. */
  #expectPeace(state: AccountState, moment: Moment): void {
    const open = openPnlOf(state.positions, moment);
    if (open === null) return;
    const equity = balanceOf(state) + open;
    same(liveBreach(state, equity), null, "a limit that live equity is beyond");
    const { highWater } = state.endOfDay;
    const deepest = state.pro?.statistics?.maxDrawdown ?? Number.POSITIVE_INFINITY;
    holds((highWater - equity) / highWater <= deepest + 1e-9, "the deepest drawdown is known");
    if (state.phase !== "challenge") return;
    holds(!reachesTarget(state, equity), "a target that is reached is a challenge that is passed");
  }

  #startPro({ startMs, phase }: ProStarted, command: Command): void {
    const isTimely = phase === "proChallengeFromStandard" && startMs === this.#dayEnd?.midnightMs;
    if (!isTimely || this.#dayEnd === null) return;
    // The operator may start it at any moment, a midnight too.
    if (command.type === "promote" && !this.#dayEnd.calls.has("proStart")) return;
    this.#dayEnd.came.add("proStart");
  }

  #checkDayEnd(): void {
    if (this.#dayEnd === null) return;
    const { calls, came } = this.#dayEnd;
    same([...came].sort().join(), [...calls].sort().join(), "what became of a day's end");
    this.#dayEnd = null;
  }

  #callsOf({ equity, midnightMs }: DayEnded, { after }: AppliedEvent): ReadonlySet<Effect> {
    const { day, ledger, pro } = this.#models;
    same(after.day.startMs, midnightMs, "the day that a midnight begins");
    if (measuresDayEnds(after) && isBeyond(day.highWater, equity, limitsOf(after).maxLossPct)) {
      return new Set(["elimination"]);
    }
    const endsAtMs = after.pro?.transition?.endsAtMs ?? Number.POSITIVE_INFINITY;
    if (isMonday(midnightMs) && endsAtMs <= midnightMs) return new Set(["proStart"]);
    if (after.pro === null || !PRO_PHASES.includes(after.phase)) return new Set();
    const profit = Math.min(ledger.balance, equity) - ledger.size;
    const { isMet, isMissed } = pro.verdict(after.pro, { profit, equity });
    if (after.phase === "proFunded") return new Set(isMissed ? ["softBreach"] : []);
    return new Set(isMet ? ["promotion"] : []);
  }

  #eliminate({ elimination, atMs }: AccountEliminated, told: AppliedEvent, command: Command): void {
    const { before, moment } = told;
    const { cause, drawdownPct } = elimination;
    holds(before !== null && before.elimination === null, "an account is eliminated once");
    if (command.type === "eliminateAccount") {
      holds(cause.kind === "operator", "an elimination by the operator");
      same(cause.reason, command.reason, "the operator's own reason");
      same(elimination.atMs, atMs, "when the operator ended the account");
      same(drawdownPct, null, "the drawdown where no limit was passed");
      return;
    }
    if (cause.kind === "inactivity") {
      const dueMs = (this.#lastActiveMs ?? Number.NaN) + before.terms.inactivityMs;
      same(elimination.atMs, dueMs, "when an account has been idle for too long");
      holds(dueMs <= moment.now, "an idle account ends when its time has come");
      same(drawdownPct, null, "the drawdown where no limit was passed");
      return;
    }
    this.#expectBreach(elimination, told);
  }

  #expectBreach(
    elimination: AccountEliminated["elimination"],
    { before, moment }: AppliedEvent,
  ): void {
    const calm = this.#calm ?? before;
    holds(calm !== null, "an account before its end");
    const { cause } = elimination;
    holds(cause.kind === "lossLimit", "an elimination by a limit");
    same(cause.phase, failedPhase(calm.phase), "the phase of an elimination");
    const { day } = this.#models;
    if (cause.rule === "endOfDayTrailing") {
      same(elimination.atMs, calm.day.startMs, "the midnight that ended the account");
      this.#dayEnd?.came.add("elimination");
      const used = day.highWater - day.lastMidnightEquity;
      near(elimination.drawdownPct ?? -1, (used * 100) / day.highWater, PERCENT);
      return;
    }
    const open = openPnlOf(calm.positions, moment);
    holds(open !== null, "a breach of an equity that is known");
    const breach = liveBreach(calm, balanceOf(calm) + open);
    holds(breach !== null, "an elimination for a limit that was passed");
    same(cause.rule, breach.rule, "the limit of an elimination");
    same(elimination.atMs, moment.now, "when the limit was passed");
    near(elimination.drawdownPct ?? -1, breach.usedPct, PERCENT);
  }

  #pass({ by }: ChallengePassed, { before, moment }: AppliedEvent, command: Command): void {
    const calm = this.#calm ?? before;
    holds(calm !== null && calm.phase === "challenge", "a challenge that is passed");
    if (by === "operator") {
      same(command.type, "promote", "what passes by the operator's word");
      return;
    }
    const open = openPnlOf(calm.positions, moment);
    holds(open !== null, "a pass at an equity that is known");
    holds(reachesTarget(calm, balanceOf(calm) + open), "a pass at a target that is reached");
  }
}

const PERCENT = { within: 1e-9, what: "the drawdown of an elimination" };

const ENDINGS: ReadonlySet<Event["type"]> = new Set([
  "accountEliminated",
  "accountClosed",
  "challengePassed",
  "proStarted",
]);

/** What the network does to an account that ends, or to a phase. */
function isForced(event: Event): boolean {
  if (event.type === "orderFilled")
    return event.kind === "elimination" || event.kind === "phaseEnd";
  if (event.type === "orderCancelled") {
    return event.reason === "accountEnded" || event.reason === "phaseEnded";
  }
  return event.type === "deferralForfeited";
}

const ACTIVITIES: ReadonlySet<Event["type"]> = new Set([
  "orderPlaced",
  "orderEdited",
  "legsAttached",
  "orderFilled",
]);

/** An order of the trader, or what became of one. */
function isActivity(event: Event): boolean {
  return ACTIVITIES.has(event.type) && !isForced(event);
}

/** What binds in the account's phase. */
export function limitsOf({ phase, terms }: AccountState): AccountState["terms"]["challenge"] {
  return phase.includes("hallenge") ? terms.challenge : terms.funded;
}

function measuresDayEnds({ phase, terms }: AccountState): boolean {
  return PRO_PHASES.includes(phase) || terms.criteria === "trailing";
}

/** Percents of these programs are whole, so the comparison is exact. */
function isBeyond(anchor: number, measured: number, limitPct: number): boolean {
  return anchor > 0 && (anchor - measured) * 100 > anchor * limitPct;
}

/** The limit that live equity is strictly beyond; null: none. */
export function liveBreach(
  state: AccountState,
  equity: number,
): { readonly rule: LossRule; readonly usedPct: number } | null {
  const { dailyLossPct, maxLossPct } = limitsOf(state);
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

/** Whether balance and equity have both come to the target. */
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
