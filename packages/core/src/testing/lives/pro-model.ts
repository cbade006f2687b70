/** A second implementation of the statistics of the pro track for tests, from the list of days and drawdowns. */

import { objectivesAt } from "../../pro/objectives.ts";
import type { AccountState } from "../../state/account.ts";
import type { DayEnded } from "../../state/event.ts";
import type { Moment } from "../../state/moment.ts";
import type { ProTrack } from "../../state/pro-track.ts";
import { microUsd } from "../../units.ts";
import type { AppliedEvent } from "./applied-event.ts";
import type { DayModel } from "./day-model.ts";
import { expectSame } from "./expectation.ts";
import { mayJudge } from "./judging-model.ts";
import type { LedgerModel } from "./ledger-model.ts";

interface CountedDay {
  readonly startMs: number;
  /**
   * The time of the first trade, as it was known at the end of the day; null when there was none yet. So a later trade
   * does not make an earlier day count.
   */
  readonly firstTradeMs: number | null;
  /** The return of the day, in billionths. */
  readonly gain: number;
}

interface Figures {
  readonly days: number;
  /** The best return of a day, in billionths. `sum` and `drawdown` are in billionths too. */
  readonly best: number;
  readonly sum: number;
  readonly drawdown: number;
}

const BILLION = 1_000_000_000;
const billionths = (value: number): number => Math.round(value * BILLION) + 0;
const nineDecimals = (value: number): number => billionths(value) / BILLION;

/** Follows the days and drawdowns of one pro account, and compares its statistics with them. */
export class ProModel {
  readonly #ledger: LedgerModel;
  readonly #day: DayModel;
  /** The days of the pro account; null before it has started. */
  #days: CountedDay[] | null = null;
  #firstTradeMs: number | null = null;
  #drawdowns: number[] = [0];

  constructor(ledger: LedgerModel, day: DayModel) {
    this.#ledger = ledger;
    this.#day = day;
  }

  /** Checks an event and applies it. It must run after the models of ledger and day have taken the event. */
  take({ event, before, after, moment }: AppliedEvent): void {
    if (event.type === "proStarted") {
      this.#days = [];
      this.#firstTradeMs = null;
      this.#drawdowns = [0];
    }
    if (event.type === "orderFilled" && this.#days !== null) this.#firstTradeMs ??= event.atMs;
    if (event.type === "dayEnded") {
      this.#countDay(event, before);
      if (after.pro !== null && this.#days !== null) {
        this.#checkObjectives(after, after.pro, moment);
      }
    }
    if (event.type === "drawdownDeepened") {
      this.#recordDrawdown(after, moment);
      expectSame(
        billionths(event.maxDrawdown),
        Math.max(...this.#drawdowns),
        "the maximum drawdown",
      );
    }
  }

  /**
   * Compares the statistics of an account that was just judged with the model.
   * @throws when they differ
   */
  check(state: AccountState, moment: Moment): void {
    const statistics = state.pro?.statistics ?? null;
    expectSame(statistics === null, this.#days === null, "whether a pro account has started");
    if (statistics === null || state.pro === null) return;
    const isActive = state.status === "active";
    if (isActive) this.#recordDrawdown(state, moment);
    const { days, best, sum, drawdown } = this.#figures(state.pro);
    expectSame(statistics.firstTradeAtMs, this.#firstTradeMs, "the first trade");
    expectSame(statistics.tradingDays, days, "the trading days");
    expectSame(billionths(statistics.bestDay), best, "the best day");
    expectSame(billionths(statistics.sumOfDays), sum, "the sum of days");
    expectSame(billionths(statistics.maxDrawdown), drawdown, "the maximum drawdown");
    if (isActive) this.#checkObjectives(state, state.pro, moment);
  }

  /** The result of the objectives at the end of a day: whether all are met, and whether a daily target is missed. */
  verdict(
    track: ProTrack,
    { profit, equity }: { readonly profit: number; readonly equity: number },
  ): { readonly isMet: boolean; readonly isMissed: boolean } {
    const { objectives } = track;
    const values = this.#values(track, { profit, drawdown: this.#drawdownAt(equity) });
    const meetsReturn = values.returned >= objectives.returnRatio;
    const meetsCalmar = values.calmar === null ? null : values.calmar >= objectives.calmar;
    const meetsConsistency =
      values.consistency === null ? null : values.consistency <= objectives.consistency;
    const meetsDays = values.days >= objectives.tradingDays;
    return {
      isMet: meetsReturn && meetsCalmar === true && meetsConsistency === true && meetsDays,
      isMissed: meetsCalmar === false || meetsConsistency === false,
    };
  }

  /** Records the drawdown of live equity below the high-water mark, when the prices may judge. */
  #recordDrawdown(state: AccountState, moment: Moment): void {
    if (!mayJudge(state.positions, moment)) return;
    const equity = this.#ledger.equity(state, moment);
    if (equity !== null) this.#drawdowns.push(this.#drawdownAt(equity));
  }

  #drawdownAt(equity: number): number {
    const { highWater } = this.#day;
    return billionths(Math.max(0, highWater - equity) / highWater);
  }

  #countDay({ midnightMs, equity }: DayEnded, before: AccountState | null): void {
    if (this.#days === null || before === null) return;
    const from = before.day.startEquity;
    this.#days.push({
      startMs: midnightMs - 86_400_000,
      firstTradeMs: this.#firstTradeMs,
      gain: billionths(from > 0 ? (equity - from) / from : 0),
    });
  }

  #figures({ objectives }: ProTrack): Figures {
    const maxGain = billionths(objectives.countedDayGain);
    const full = (this.#days ?? [])
      .filter(({ startMs, firstTradeMs }) => firstTradeMs !== null && startMs >= firstTradeMs)
      .map(({ gain }) => Math.min(gain, maxGain));
    return {
      days: full.length,
      best: Math.max(0, ...full),
      sum: full.reduce((sum, gain) => sum + gain, 0),
      drawdown: Math.max(...this.#drawdowns),
    };
  }

  #values(track: ProTrack, now: { readonly profit: number; readonly drawdown: number }) {
    const { days, best, sum, drawdown } = this.#figures(track);
    const returned = nineDecimals(now.profit / this.#ledger.size);
    const realized = nineDecimals((this.#ledger.balance - this.#ledger.size) / this.#ledger.size);
    const deepest = Math.max(drawdown, now.drawdown) / BILLION;
    const divisor = Math.max(deepest, track.objectives.leastDrawdown);
    return {
      days,
      returned,
      calmar: days === 0 ? null : nineDecimals(realized / divisor),
      consistency: days === 0 || sum <= 0 ? null : nineDecimals(best / sum),
    };
  }

  #checkObjectives(state: AccountState, track: ProTrack, moment: Moment): void {
    const equity = this.#ledger.equity(state, moment);
    const profit = this.#ledger.profit(state, moment);
    if (equity === null || profit === null) return;
    const now = { profit, drawdown: this.#drawdownAt(equity) };
    const { days, returned, calmar, consistency } = this.#values(track, now);
    const values = { return: returned, calmar, consistency, days };
    for (const objective of objectivesAt(state, track, microUsd(equity))) {
      const { key, value, met, threshold, higherIsBetter } = objective;
      expectSame(value, values[key], `the objective ${key}`);
      const isReached =
        value !== null && (higherIsBetter ? value >= threshold : value <= threshold);
      expectSame(met, value === null ? null : isReached, `whether ${key} is met`);
    }
  }
}
