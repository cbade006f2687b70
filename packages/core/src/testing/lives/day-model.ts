/**
 * A second implementation of days, daily returns and the high-water mark for tests, from the equity at each midnight.
 */

import { endedDayReturn } from "../../evolve/daily-returns.ts";
import type { AccountState } from "../../state/account.ts";
import type { DayEnded, Event } from "../../state/event.ts";
import type { AppliedEvent } from "./applied-event.ts";
import { expectNear, expectSame, expectThat } from "./expectation.ts";
import type { LedgerModel } from "./ledger-model.ts";

const DAY_MS = 86_400_000;

/** The equity at the start and the end of a part of a day in which the account did not restart. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Follows the days of one account, and compares its daily returns and high-water mark with its events. */
export class DayModel {
  readonly #ledger: LedgerModel;
  #startMs = 0;
  #startEquity = 0;
  /** The size, then the equity at every midnight since the balance started at that size. */
  #midnights: number[] = [];
  /** The parts of the day in progress that ended with a restart. */
  #stretches: Stretch[] = [];

  constructor(ledger: LedgerModel) {
    this.#ledger = ledger;
  }

  get highWater(): number {
    return Math.max(...this.#midnights);
  }

  get lastMidnightEquity(): number {
    return this.#midnights.at(-1) ?? 0;
  }

  get startEquity(): number {
    return this.#startEquity;
  }

  /**
   * Checks an event and applies it. It must run before the ledger model takes the event, because a day ends with the
   * balance before `dayEnded`.
   */
  take(applied: AppliedEvent): void {
    const { event } = applied;
    if (event.type === "accountOpened") this.#firstDay(event.atMs, event.terms.size);
    if (event.type === "accountProvisioned") this.#firstDay(event.atMs, this.#ledger.size);
    if (event.type === "dayEnded") this.#end(event, applied);
    const isEnd = event.type === "accountEliminated" || event.type === "accountClosed";
    if (isEnd && applied.before?.status === "active") {
      this.#checkReturn(event, applied.before, this.#ledger.balance);
    }
    if (event.type === "challengePassed") this.#restart(event.equity, this.#ledger.size);
    if (event.type === "proStarted") this.#restart(event.equity, event.terms.size);
  }

  check({ day, endOfDay }: AccountState): void {
    expectSame(day.startMs, this.#startMs, "the start of the day");
    expectSame(day.startEquity, this.#startEquity, "the equity at the start of the day");
    expectSame(endOfDay.equity, this.lastMidnightEquity, "the equity at the last midnight");
    expectSame(endOfDay.highWater, this.highWater, "the high-water mark");
  }

  #firstDay(at: number, size: number): void {
    this.#startMs = at - (at % DAY_MS);
    this.#startEquity = size;
    this.#midnights = [size];
    this.#stretches = [];
  }

  #end(event: DayEnded, { before, moment }: AppliedEvent): void {
    expectSame(event.midnightMs, this.#startMs + DAY_MS, "the midnight after the previous one");
    expectThat(event.midnightMs <= event.atMs, "a day ends at its midnight or later");
    expectThat(before !== null, "a day ends only for an open account");
    expectSame(event.balance, this.#ledger.balance, "the balance at midnight");
    expectSame(event.equity, this.#ledger.equity(before, moment), "the equity at midnight");
    this.#checkReturn(event, before, event.equity);
    this.#startMs = event.midnightMs;
    this.#startEquity = event.equity;
    this.#midnights.push(event.equity);
    this.#stretches = [];
  }

  /** Checks that the daily return is the growth over all parts of the day, up to this equity. */
  #checkReturn(event: Event, before: AccountState, equity: number): void {
    const last = { from: this.#startEquity, to: equity };
    const growth = [...this.#stretches, last].reduce((all, { from, to }) => all * (to / from), 1);
    const day = endedDayReturn(before, event);
    if (day === null) {
      if (this.#startEquity > 0) expectSame(growth, 1, "the growth of a day that is no item");
      return;
    }
    expectSame(day.dayStartMs, this.#startMs, "the day of a daily return");
    if (this.#startEquity > 0) {
      expectNear(day.percent, (growth - 1) * 100, { within: 1e-7, what: "a daily return" });
    }
  }

  #restart(equity: number, size: number): void {
    expectSame(equity, this.#ledger.balance, "the equity of the day at the restart");
    this.#stretches.push({ from: this.#startEquity, to: equity });
    this.#startEquity = size;
    this.#midnights = [size];
  }
}
