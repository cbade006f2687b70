/**
 * What has to become of an account: every elimination, pass, promotion and soft breach had its cause, and
 * every cause had its effect.
 */
import type { AccountState, Phase } from "../../account/account.ts";
import type { Command } from "../../network/command.ts";
import type { AccountEliminated, ChallengePassed, DayEnded, Event } from "../../network/event.ts";
import type { Moment } from "../../network/moment.ts";
import type { DayModel } from "./day-model.ts";
import { holds, near, same } from "./expectation.ts";
import type { LedgerModel } from "./ledger-model.ts";
import type { ProModel } from "./pro-model.ts";
import type { Told } from "./told.ts";
import { openPnlOf } from "./valuation-model.ts";

const PRO_PHASES: readonly Phase[] = [
  "proChallengeDirect",
  "proChallengeFromStandard",
  "proFunded",
];

/** What a day's end calls for, and whether it came. */
interface DayEnd {
  readonly calls: ReadonlySet<"elimination" | "softBreach" | "promotion">;
  readonly came: Set<"elimination" | "softBreach" | "promotion">;
}

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
  #lastActiveMs: number | null = null;

  constructor(models: Models) {
    this.#models = models;
  }

  /** To be told after the other models were. */
  take(told: Told, command: Command): void {
    const { event, before } = told;
    if (isForced(event)) this.#calm ??= before;
    if (isActivity(event)) this.#lastActiveMs = event.atMs;
    if (event.type === "dayEnded") {
      this.#checkDayEnd();
      this.#dayEnd = this.#calledFor(event, told);
    }
    if (event.type === "accountEliminated") this.#eliminate(event, told, command);
    if (event.type === "challengePassed") this.#pass(event, told, command);
    if (event.type === "softBreached") this.#dayEnd?.came.add("softBreach");
    if (event.type === "proPromoted" && event.by === "operator") {
      same(command.type, "promote", "what promotes by the operator's word");
    }
    if (event.type === "proPromoted" && event.by === "objectives") {
      this.#dayEnd?.came.add("promotion");
    }
    if (ENDINGS.has(event.type)) this.#calm = null;
  }

  /** After a command that judges: nothing is left that would have to happen. */
  check(state: AccountState, moment: Moment): void {
    this.#checkDayEnd();
    same(state.lastActiveAtMs, this.#lastActiveMs, "when the account was last active");
    if (state.status !== "active") return;
    const equity = this.#models.ledger.equity(state, moment);
    if (equity === null) return;
    same(liveBreach(state, equity), null, "a limit that live equity is beyond");
    if (state.phase !== "challenge") return;
    holds(!reachesTarget(state, equity), "a target that is reached is a challenge that is passed");
  }

  #checkDayEnd(): void {
    if (this.#dayEnd === null) return;
    const { calls, came } = this.#dayEnd;
    same([...came].sort().join(), [...calls].sort().join(), "what became of a day's end");
    this.#dayEnd = null;
  }

  #calledFor({ equity, midnightMs }: DayEnded, { after }: Told): DayEnd {
    const calls = new Set<"elimination" | "softBreach" | "promotion">();
    const came = new Set<"elimination" | "softBreach" | "promotion">();
    const { day, ledger, pro } = this.#models;
    same(after.day.startMs, midnightMs, "the day that a midnight begins");
    if (measuresDayEnds(after) && isBeyond(day.highWater, equity, limitsOf(after).maxLossPct)) {
      calls.add("elimination");
      return { calls, came };
    }
    if (after.pro === null || !PRO_PHASES.includes(after.phase)) return { calls, came };
    const profit = Math.min(ledger.balance, equity) - ledger.size;
    const { isMet, isMissed } = pro.verdict(after.pro, { profit, equity });
    if (after.phase === "proFunded") {
      if (isMissed) calls.add("softBreach");
    } else if (isMet) calls.add("promotion");
    return { calls, came };
  }

  #eliminate({ elimination, atMs }: AccountEliminated, told: Told, command: Command): void {
    const { before, moment } = told;
    const { reason, drawdownPct } = elimination;
    holds(before !== null && before.elimination === null, "an account is eliminated once");
    if (command.type === "eliminateAccount") {
      same(reason, command.reason, "the operator's own reason");
      same(elimination.atMs, atMs, "when the operator ended the account");
      same(drawdownPct, null, "the drawdown where no limit was passed");
      return;
    }
    if (reason === "INACTIVE") {
      const dueMs = (this.#lastActiveMs ?? Number.NaN) + before.terms.inactivityMs;
      same(elimination.atMs, dueMs, "when an account has been idle for too long");
      holds(dueMs <= moment.now, "an idle account ends when its time has come");
      same(drawdownPct, null, "the drawdown where no limit was passed");
      return;
    }
    this.#expectBreach(elimination, told);
  }

  #expectBreach(elimination: AccountEliminated["elimination"], { before, moment }: Told): void {
    const calm = this.#calm ?? before;
    holds(calm !== null, "an account before its end");
    const word = reasonWords(calm.phase);
    const { day } = this.#models;
    if (elimination.reason === `${word}_EOD_DRAWDOWN`) {
      same(elimination.atMs, calm.day.startMs, "the midnight that ended the account");
      this.#dayEnd?.came.add("elimination");
      const used = day.highWater - day.lastMidnightEquity;
      near(elimination.drawdownPct ?? -1, (used * 100) / day.highWater, PERCENT);
      return;
    }
    const open = openPnlOf(calm.positions, moment);
    holds(open !== null, "a breach of an equity that is known");
    const breach = liveBreach(calm, calm.terms.size + calm.realized - calm.fees + open);
    holds(breach !== null, "an elimination for a limit that was passed");
    same(elimination.reason, `${word}_${breach.word}_DRAWDOWN`, "the reason of an elimination");
    same(elimination.atMs, moment.now, "when the limit was passed");
    near(elimination.drawdownPct ?? -1, breach.usedPct, PERCENT);
  }

  #pass({ by }: ChallengePassed, { before, moment }: Told, command: Command): void {
    const calm = this.#calm ?? before;
    holds(calm !== null && calm.phase === "challenge", "a challenge that is passed");
    if (by === "operator") {
      same(command.type, "promote", "what passes by the operator's word");
      return;
    }
    const open = openPnlOf(calm.positions, moment);
    holds(open !== null, "a pass at an equity that is known");
    const equity = calm.terms.size + calm.realized - calm.fees + open;
    holds(reachesTarget(calm, equity), "a pass at a target that is reached");
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

function limitsOf({ phase, terms }: AccountState): AccountState["terms"]["challenge"] {
  return phase.includes("hallenge") ? terms.challenge : terms.funded;
}

function measuresDayEnds({ phase, terms }: AccountState): boolean {
  return PRO_PHASES.includes(phase) || terms.criteria === "trailing";
}

/** Percents of these programs are whole, so the comparison is exact. */
function isBeyond(anchor: number, measured: number, limitPct: number): boolean {
  return (anchor - measured) * 100 > anchor * limitPct;
}

function liveBreach(
  state: AccountState,
  equity: number,
): { readonly word: "INTRADAY" | "STATIC"; readonly usedPct: number } | null {
  const { dailyLossPct, maxLossPct } = limitsOf(state);
  const { startEquity } = state.day;
  if (isBeyond(startEquity, equity, dailyLossPct)) {
    return { word: "INTRADAY", usedPct: ((startEquity - equity) * 100) / startEquity };
  }
  const { size } = state.terms;
  if (!measuresDayEnds(state) && isBeyond(size, equity, maxLossPct)) {
    return { word: "STATIC", usedPct: ((size - equity) * 100) / size };
  }
  return null;
}

function reachesTarget({ terms, realized, fees }: AccountState, equity: number): boolean {
  const { profitTargetPct } = terms.challenge;
  if (profitTargetPct === null) return false;
  const target = Math.round((terms.size * profitTargetPct) / 100);
  return Math.min(realized - fees, equity - terms.size) >= target;
}

function reasonWords(phase: Phase): string {
  if (phase === "proFunded") return "FAILED_PRO_FUNDED_PERIOD";
  if (PRO_PHASES.includes(phase)) return "FAILED_PRO_CHALLENGE_PERIOD";
  return phase === "challenge" ? "FAILED_CHALLENGE_PERIOD" : "FAILED_FUNDED_PERIOD";
}
