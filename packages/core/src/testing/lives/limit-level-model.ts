/** A second implementation of the recorded levels of the loss limits, for tests. */
import type { AccountState, LossRule } from "../../state/account.ts";
import { balanceOf } from "../../state/balance.ts";
import type { LimitNeared } from "../../state/event.ts";
import type { Moment } from "../../state/moment.ts";
import type { AppliedEvent } from "./applied-event.ts";
import { expectNear, expectSame, expectThat } from "./expectation.ts";
import { measuresDayEnds, phaseTermsOf } from "./judgement-model.ts";
import { mayJudge } from "./judging-model.ts";
import { openPnlOf } from "./valuation-model.ts";

interface Recorded {
  readonly level: number;
  readonly dayStartMs: number;
}

/** Follows the recorded levels of one account's loss limits, and compares them with its events. */
export class LimitLevelModel {
  readonly #recorded = new Map<LossRule, Recorded>();

  take({ event, before, moment }: AppliedEvent): void {
    if (event.type === "challengePassed" || event.type === "proStarted") this.#recorded.clear();
    if (event.type === "limitNeared" && before !== null) this.#near(event, before, moment);
  }

  /**
   * Checks that every reached level is recorded. Call this after a command that judges the account.
   * @throws when a level was reached and not recorded
   */
  check(state: AccountState, moment: Moment): void {
    const open = openPnlOf(state.positions, moment);
    if (open === null || state.status !== "active" || !mayJudge(state.positions, moment)) return;
    const equity = balanceOf(state) + open;
    for (const rule of ["dailyLoss", "staticLoss"] as const) {
      if (rule === "staticLoss" && measuresDayEnds(state)) continue;
      const reached = levelAt(state, rule, equity);
      expectThat(reached <= this.#levelOf(state, rule), `${rule} at ${reached} % is recorded`);
    }
  }

  #near(
    { rule, level, equity, floor, worst }: LimitNeared,
    state: AccountState,
    moment: Moment,
  ): void {
    expectThat(
      rule === "dailyLoss" || measuresDayEnds(state) === (rule === "endOfDayTrailing"),
      "the limit binds",
    );
    expectThat(level > this.#levelOf(state, rule), `${rule} at ${level} % is recorded once`);
    expectSame(level, levelAt(state, rule, equity), "the highest level that equity has reached");
    const anchor = anchorOf(state, rule);
    expectNear(floor, anchor * (1 - limitPctOf(state, rule) / 100), { within: 1, what: "a floor" });
    const open = openPnlOf(state.positions, moment);
    if (rule !== "endOfDayTrailing")
      expectSame(equity, balanceOf(state) + (open ?? Number.NaN), "equity");
    const isHeld = worst === null || state.positions.some(({ pair }) => pair === worst.pair);
    expectThat(isHeld, "the worst position is open");
    this.#recorded.set(rule, { level, dayStartMs: state.day.startMs });
  }

  /**
   * The highest level of a limit that counts as recorded, so that it is not recorded again. A level that was recorded
   * on an earlier day counts only up to the level that equity had reached when this day began.
   */
  #levelOf(state: AccountState, rule: LossRule): number {
    const recorded = this.#recorded.get(rule);
    if (recorded === undefined) return 0;
    if (recorded.dayStartMs === state.day.startMs) return recorded.level;
    const began = rule === "endOfDayTrailing" ? state.endOfDay.equity : state.day.startEquity;
    return Math.min(recorded.level, levelAt(state, rule, began));
  }
}

function anchorOf({ day, terms, endOfDay }: AccountState, rule: LossRule): number {
  if (rule === "dailyLoss") return day.startEquity;
  return rule === "staticLoss" ? terms.size : endOfDay.highWater;
}

function limitPctOf(state: AccountState, rule: LossRule): number {
  const { dailyLossPct, maxLossPct } = phaseTermsOf(state);
  return rule === "dailyLoss" ? dailyLossPct : maxLossPct;
}

/** The highest level that this equity has reached; 0 for none. */
function levelAt(state: AccountState, rule: LossRule, equity: number): number {
  const anchor = anchorOf(state, rule);
  if (anchor <= 0) return 0;
  const usedPct = ((anchor - equity) * 100) / ((anchor * limitPctOf(state, rule)) / 100);
  const reached = (state.terms.nearLevels ?? []).filter((level) => usedPct >= level - 1e-9);
  return Math.max(0, ...reached);
}
