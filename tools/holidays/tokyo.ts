import { weekdayOf } from "@propgate/core";
import { dayOfDate, isWeekend, MONDAY, nthWeekday, SUNDAY } from "./calendar-days.ts";
import type { MarketYear } from "./market-year.ts";

type MonthAndDate = readonly [number, number];

/** Holidays of the Tokyo Stock Exchange: the national holidays, 31 December to 3 January, and `OUTAGES`. */
export function tokyoMarketYear(year: number): MarketYear {
  const national = nationalHolidays(year);
  const closed = new Set([...national, ...substitutes(national), ...daysBetweenHolidays(national)]);
  for (const [month, date] of [[1, 2], [1, 3], [12, 31], ...(OUTAGES[year] ?? [])] as const) {
    closed.add(dayOfDate(year, month, date));
  }
  return { closed: [...closed].filter((one) => !isWeekend(one)), early: {} };
}

/** The day on which the exchange did not trade because its machines failed, as month and date. */
const OUTAGES: Readonly<Record<number, readonly MonthAndDate[]>> = { 2020: [[10, 1]] };

function nationalHolidays(year: number): ReadonlySet<number> {
  const fixed: readonly MonthAndDate[] = [
    [1, 1],
    [2, 11],
    [4, 29],
    [5, 3],
    [5, 4],
    [5, 5],
    [11, 3],
    [11, 23],
    ...emperorsBirthday(year),
    ...movedForOlympics(year),
    ...(EXTRAORDINARY_YEARS[year] ?? []),
  ];
  return new Set([
    ...fixed.map(([month, date]) => dayOfDate(year, month, date)),
    nthWeekday(year, 1, { weekday: MONDAY, n: 2 }),
    nthWeekday(year, 9, { weekday: MONDAY, n: 3 }),
    ...equinoxes(year),
    ...(MOVED_FOR_OLYMPICS[year] === undefined
      ? [
          nthWeekday(year, 7, { weekday: MONDAY, n: 3 }),
          nthWeekday(year, 10, { weekday: MONDAY, n: 2 }),
        ]
      : []),
  ]);
}

/** The holidays of 2019 for the new emperor: his accession and its ceremony, as month and date. */
const EXTRAORDINARY_YEARS: Readonly<Record<number, readonly MonthAndDate[]>> = {
  2019: [
    [5, 1],
    [10, 22],
  ],
};

/** The dates of Marine Day, Sports Day and Mountain Day in the years in which they were moved for the Olympic Games. */
const MOVED_FOR_OLYMPICS: Readonly<Record<number, readonly MonthAndDate[]>> = {
  2020: [
    [7, 23],
    [7, 24],
    [8, 10],
  ],
  2021: [
    [7, 22],
    [7, 23],
    [8, 8],
  ],
};

function movedForOlympics(year: number): readonly MonthAndDate[] {
  return MOVED_FOR_OLYMPICS[year] ?? (year >= 2016 ? [[8, 11]] : []);
}

function emperorsBirthday(year: number): readonly MonthAndDate[] {
  if (year <= 2018) return [[12, 23]];
  return year >= 2020 ? [[2, 23]] : [];
}

/**
 * The spring and autumn equinox, by a formula that is valid from 1980 to 2099. The government announces each date a
 * year ahead and has always agreed with the formula.
 */
function equinoxes(year: number): readonly number[] {
  const drift = 0.242194 * (year - 1980) - Math.floor((year - 1980) / 4);
  return [
    dayOfDate(year, 3, Math.floor(20.8431 + drift)),
    dayOfDate(year, 9, Math.floor(23.2488 + drift)),
  ];
}

/** The days that replace holidays on a Sunday: each time the next day that is not a holiday. */
function substitutes(national: ReadonlySet<number>): readonly number[] {
  return [...national]
    .filter((one) => weekdayOf(one) === SUNDAY)
    .map((one) => {
      let next = one + 1;
      while (national.has(next)) next += 1;
      return next;
    });
}

/** Each single day between two holidays; it is a holiday too. */
function daysBetweenHolidays(national: ReadonlySet<number>): readonly number[] {
  return [...national]
    .filter((one) => national.has(one + 2) && !national.has(one + 1))
    .map((one) => one + 1);
}
