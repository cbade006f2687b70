import type { Account, Linked } from "@propgate/contract";

type DailyReturn = Account<Linked>["performance"]["dailyReturns"][number];

/**
 * The UTC day of the account's elimination. Null for an account that was not eliminated, and when the time of the
 * elimination is unknown.
 */
export function endDateOf({ elimination }: Account<Linked>): string | null {
  const atMs = elimination?.atMs ?? null;
  return atMs === null ? null : new Date(atMs).toISOString().slice(0, 10);
}

/** A day of the calendar with its return. */
export interface CalendarDay {
  /** The day as `2026-01-05`, UTC. */
  readonly date: string;
  readonly day: number;
  /**
   * The return in percent; null when none is known: before the account's first day, after its end, and for a day that
   * is not over.
   */
  readonly value: number | null;
}

/** A week of a month, from Monday to Sunday. */
export interface CalendarWeek {
  /** The week's Monday. */
  readonly date: string;
  /** The days of the week; null for a day of another month. */
  readonly days: readonly (CalendarDay | null)[];
}

/**
 * The weeks of a month such as `2026-01`. There are always six, so that the content below does not move between months.
 */
export function weeksOf(month: string, returns: readonly DailyReturn[]): readonly CalendarWeek[] {
  const known = new Map(returns.map(({ date, value }) => [date, value]));
  const days = Array.from({ length: daysIn(month) }, (_, index): CalendarDay => {
    const date = `${month}-${String(index + 1).padStart(2, "0")}`;
    return { date, day: index + 1, value: known.get(date) ?? null };
  });
  const offset = weekdayOf(`${month}-01`);
  return Array.from({ length: 6 }, (_, week) => ({
    date: dateAfter(`${month}-01`, week * 7 - offset),
    days: Array.from({ length: 7 }, (_none, day) => days[week * 7 + day - offset] ?? null),
  }));
}

/** The number of days since Monday: 0 for a Monday, 6 for a Sunday. */
export function weekdayOf(date: string): number {
  return (new Date(date).getUTCDay() + 6) % 7;
}

function daysIn(month: string): number {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The date `days` days later. */
export function dateAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The month `months` months later. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** The name of a month: `January 2026` for `2026-01`. */
export function monthName(month: string): string {
  const format = new Intl.DateTimeFormat("en-US", {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return format.format(new Date(`${month}-01`));
}

/**
 * The number of days with a return in one month, the numbers of gains and losses among them, and the return of the
 * month.
 */
export interface MonthSummary {
  readonly days: number;
  readonly gains: number;
  readonly losses: number;
  /** The compounded return of the month's days in percent; null when no day is known. */
  readonly total: number | null;
}

/** Counts the gains and losses of a month and compounds its returns. */
export function monthSummaryOf(month: string, returns: readonly DailyReturn[]): MonthSummary {
  const values = returns.filter(({ date }) => date.startsWith(month)).map(({ value }) => value);
  const growth = values.reduce((product, value) => product * (1 + value / 100), 1);
  return {
    days: values.length,
    gains: values.filter((value) => value > 0).length,
    losses: values.filter((value) => value < 0).length,
    total: values.length === 0 ? null : (growth - 1) * 100,
  };
}
