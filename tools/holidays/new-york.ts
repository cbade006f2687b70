import { civilDateOf, weekdayOf } from "@propgate/core";
import {
  dayOfDate,
  easterSunday,
  isWeekend,
  lastMonday,
  MONDAY,
  nearestWeekday,
  nthWeekday,
  SATURDAY,
  SUNDAY,
  THURSDAY,
} from "./calendar-days.ts";
import type { MarketYear } from "./market-year.ts";

/** Days without trading as month and date: Hurricane Sandy, and the mourning of two presidents. */
const EXTRAORDINARY: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  2012: [
    [10, 29],
    [10, 30],
  ],
  2018: [[12, 5]],
  2025: [[1, 9]],
};

/** Holidays and early closes of the New York Stock Exchange and Nasdaq. */
export function newYorkMarketYear(year: number): MarketYear {
  const thanksgiving = nthWeekday(year, 11, { weekday: THURSDAY, n: 4 });
  const closed = [
    ...newYear(year),
    nthWeekday(year, 1, { weekday: MONDAY, n: 3 }),
    nthWeekday(year, 2, { weekday: MONDAY, n: 3 }),
    easterSunday(year) - 2,
    lastMonday(year, 5),
    ...(year >= 2022 ? [nearestWeekday(dayOfDate(year, 6, 19))] : []),
    nearestWeekday(dayOfDate(year, 7, 4)),
    nthWeekday(year, 9, { weekday: MONDAY, n: 1 }),
    thanksgiving,
    nearestWeekday(dayOfDate(year, 12, 25)),
    ...(EXTRAORDINARY[year] ?? []).map(([month, date]) => dayOfDate(year, month, date)),
  ];
  const early = [dayOfDate(year, 7, 3), thanksgiving + 1, dayOfDate(year, 12, 24)];
  return {
    closed,
    early: { "13:00": early.filter((one) => !closed.includes(one) && !isWeekend(one)) },
  };
}

/** A New Year's Day on a Saturday is not replaced, because the Friday before it belongs to the old year. */
function newYear(year: number): readonly number[] {
  const first = dayOfDate(year, 1, 1);
  const weekday = weekdayOf(first);
  if (weekday === SATURDAY) return [];
  return [weekday === SUNDAY ? first + 1 : first];
}

/**
 * Holidays of currencies and commodities, whose trading week follows New York time: New Year's Day, Good Friday,
 * Christmas and the day after it. A holiday on a weekend is kept on the nearest weekday, so a New Year's Day on a
 * Saturday is kept on the last day of the old year.
 */
export function currencyMarketYear(year: number): MarketYear {
  const kept = [
    dayOfDate(year, 1, 1),
    easterSunday(year) - 2,
    dayOfDate(year, 12, 25),
    dayOfDate(year, 12, 26),
    dayOfDate(year + 1, 1, 1),
  ].map(nearestWeekday);
  return { closed: kept.filter((one) => civilDateOf(one).year === year), early: {} };
}
