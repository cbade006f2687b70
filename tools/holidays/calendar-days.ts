/**
 * The days from which holidays are computed, such as the nth Monday of a month, Easter and the weekday before a day. A
 * day is a number of whole days since 1970-01-01.
 */
import { dayNumberOf, weekdayOf } from "@propgate/core";

export const SUNDAY = 0;
export const MONDAY = 1;
export const THURSDAY = 4;
export const FRIDAY = 5;
export const SATURDAY = 6;

/** The number of whole days from 1970-01-01 to a date. Months count from 1. */
export function dayOfDate(year: number, month: number, date: number): number {
  return dayNumberOf({ year, month, day: date });
}

/** The `n`th `weekday` of a month; `n` counts from 1. */
export function nthWeekday(
  year: number,
  month: number,
  which: { weekday: number; n: number },
): number {
  const first = dayOfDate(year, month, 1);
  const ahead = (which.weekday - weekdayOf(first) + 7) % 7;
  return first + ahead + 7 * (which.n - 1);
}

export function lastMonday(year: number, month: number): number {
  const last = (month === 12 ? dayOfDate(year + 1, 1, 1) : dayOfDate(year, month + 1, 1)) - 1;
  return last - ((weekdayOf(last) - MONDAY + 7) % 7);
}

/** Western Easter Sunday, by the Gregorian computus. */
export function easterSunday(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const skippedLeaps = century - Math.floor(century / 4);
  const lunar = Math.floor((8 * century + 13) / 25);
  const epact = (skippedLeaps - lunar + 19 * golden + 15) % 30;
  const late =
    Math.floor(epact / 28) * (1 - Math.floor(29 / (epact + 1)) * Math.floor((21 - golden) / 11));
  const fullMoon = epact - late;
  const weekday = (year + Math.floor(year / 4) + fullMoon + 2 - skippedLeaps) % 7;
  return dayOfDate(year, 3, 28) + fullMoon - weekday;
}

export function isWeekend(dayNumber: number): boolean {
  const weekday = weekdayOf(dayNumber);
  return weekday === SATURDAY || weekday === SUNDAY;
}

/** The weekday on which a holiday is kept: the Friday before a Saturday, the Monday after a Sunday. */
export function nearestWeekday(dayNumber: number): number {
  const weekday = weekdayOf(dayNumber);
  if (weekday === SATURDAY) return dayNumber - 1;
  return weekday === SUNDAY ? dayNumber + 1 : dayNumber;
}

/** The last weekday before a date. */
export function weekdayBefore(dayNumber: number): number {
  let before = dayNumber - 1;
  while (isWeekend(before)) before -= 1;
  return before;
}
