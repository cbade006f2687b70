import { weekdayOf } from "@propgate/core";
import {
  dayOfDate,
  easterSunday,
  isWeekend,
  lastMonday,
  MONDAY,
  nthWeekday,
  SATURDAY,
  SUNDAY,
  weekdayBefore,
} from "./calendar-days.ts";
import type { MarketYear } from "./market-year.ts";

/** Extra bank holidays as month and date: for jubilees, a funeral and a coronation of the royal family. */
const ROYAL: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  2012: [[6, 5]],
  2022: [
    [6, 3],
    [9, 19],
  ],
  2023: [[5, 8]],
};

/** Holidays and early closes of the London Stock Exchange. */
export function londonMarketYear(year: number): MarketYear {
  return {
    closed: [
      ...newYear(year),
      easterSunday(year) - 2,
      easterSunday(year) + 1,
      year === 2020 ? dayOfDate(2020, 5, 8) : nthWeekday(year, 5, { weekday: MONDAY, n: 1 }),
      springBankHoliday(year),
      lastMonday(year, 8),
      ...christmas(year),
      ...(ROYAL[year] ?? []).map(([month, date]) => dayOfDate(year, month, date)),
    ],
    early: {
      "12:30": [weekdayBefore(dayOfDate(year, 12, 25)), weekdayBefore(dayOfDate(year + 1, 1, 1))],
    },
  };
}

/** The last Monday of May. In 2012 and 2022 it was moved to the day before the extra holiday of a jubilee. */
function springBankHoliday(year: number): number {
  if (year === 2012) return dayOfDate(2012, 6, 4);
  return year === 2022 ? dayOfDate(2022, 6, 2) : lastMonday(year, 5);
}

function newYear(year: number): readonly number[] {
  const first = dayOfDate(year, 1, 1);
  if (!isWeekend(first)) return [first];
  return [first + (weekdayOf(first) === SATURDAY ? 2 : 1)];
}

/** Christmas and Boxing Day, each replaced by a weekday when it falls on a weekend. */
function christmas(year: number): readonly number[] {
  const first = dayOfDate(year, 12, 25);
  switch (weekdayOf(first)) {
    case 5:
      return [first, first + 3];
    case SATURDAY:
      return [first + 2, first + 3];
    case SUNDAY:
      return [first + 1, first + 2];
    default:
      return [first, first + 1];
  }
}

/**
 * Holidays and early closes of Xetra. It closed on German Unity Day from 2014 to 2021, on Whit Monday from 2015 to
 * 2021, and on Reformation Day in 2017.
 */
export function frankfurtMarketYear(year: number): MarketYear {
  const fixed = [
    [1, 1],
    [5, 1],
    [12, 24],
    [12, 25],
    [12, 26],
    [12, 31],
    ...(year >= 2014 && year <= 2021 ? [[10, 3] as const] : []),
    ...(year === 2017 ? [[10, 31] as const] : []),
  ] as const;
  return {
    closed: [
      ...fixed.map(([month, date]) => dayOfDate(year, month, date)),
      easterSunday(year) - 2,
      easterSunday(year) + 1,
      ...(year >= 2015 && year <= 2021 ? [easterSunday(year) + 50] : []),
    ].filter((one) => !isWeekend(one)),
    early: { "14:00": [weekdayBefore(dayOfDate(year, 12, 31))] },
  };
}
