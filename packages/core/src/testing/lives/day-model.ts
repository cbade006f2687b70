/** Days and the two marks that midnights leave behind, from the midnights alone. */

import { dailyReturn } from "../../evolve/daily-returns.ts";
import type { AccountState } from "../../state/account.ts";
import type { DayEnded } from "../../state/event.ts";
import type { AppliedEvent } from "./applied-event.ts";
import { holds, near, same } from "./expectation.ts";
import type { LedgerModel } from "./ledger-model.ts";

const DAY_MS = 86_400_000;

/** A stretch within a day over which nothing began again. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

export class DayModel {
  readonly #ledger: LedgerModel;
  #startMs = 0;
  #startEquity = 0;
  /** Equity at every midnight since the ledger began, its size first. */
  #midnights: number[] = [];
  /** Of the running day, before it began again within itself. */
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

  /** To be told before the ledger is: a day ends with what the ledger came to until then. */
  take(told: AppliedEvent): void {
    const { event } = told;
    if (event.type === "accountOpened") this.#firstDay(event.atMs, event.terms.size);
    if (event.type === "accountProvisioned") this.#firstDay(event.atMs, this.#ledger.size);
    if (event.type === "dayEnded") this.#end(event, told);
    if (event.type === "challengePassed") this.#beginAgain(event.equity, this.#ledger.size);
    if (event.type === "proStarted") this.#beginAgain(event.equity, event.terms.size);
  }

  check({ day, endOfDay }: AccountState): void {
    same(day.startMs, this.#startMs, "the start of the day");
    same(day.startEquity, this.#startEquity, "the equity with which the day began");
    same(endOfDay.equity, this.lastMidnightEquity, "the equity at the last midnight");
    same(endOfDay.highWater, this.highWater, "the high-water mark");
  }

  #firstDay(at: number, size: number): void {
    this.#startMs = at - (at % DAY_MS);
    this.#startEquity = size;
    this.#midnights = [size];
    this.#stretches = [];
  }

  #end(event: DayEnded, { before, moment }: AppliedEvent): void {
    same(event.midnightMs, this.#startMs + DAY_MS, "the midnight after the last");
    holds(event.midnightMs <= event.atMs, "a day ends at its midnight, or late");
    holds(before !== null, "a day of an account");
    same(event.balance, this.#ledger.balance, "the balance at midnight");
    same(event.equity, this.#ledger.equity(before, moment), "the equity at midnight");
    const last = { from: this.#startEquity, to: event.equity };
    const grown = [...this.#stretches, last].reduce((all, { from, to }) => all * (to / from), 1);
    const { percent, dayStartMs } = dailyReturn(before.day, event);
    same(dayStartMs, this.#startMs, "the day of a daily return");
    if (this.#startEquity > 0) {
      near(percent, (grown - 1) * 100, { within: 1e-7, what: "a daily return" });
    }
    this.#startMs = event.midnightMs;
    this.#startEquity = event.equity;
    this.#midnights.push(event.equity);
    this.#stretches = [];
  }

  #beginAgain(equity: number, size: number): void {
    same(equity, this.#ledger.balance, "what the day had come to when the account began again");
    this.#stretches.push({ from: this.#startEquity, to: equity });
    this.#startEquity = size;
    this.#midnights = [size];
  }
}
