import { readFileSync } from "node:fs";
import {
  dayNumberFromText,
  type Instrument,
  instantOfLocalTime,
  isOpen,
  localTime,
  pairId,
  unixMs,
} from "@propgate/core";
import { describe, expect, test } from "vitest";
import { parseCatalogue } from "./catalogue.ts";
import { bundledDataPath } from "./data-file.ts";

const text = readFileSync(bundledDataPath("catalogue.json"), "utf8");
const { instruments } = parseCatalogue(text, "catalogue.json");
const sessions: readonly WrittenSession[] = JSON.parse(text).sessions;
const DAY_MINUTES = 1_440;

type DatesByYear = Readonly<Record<string, string>>;

interface WrittenSession {
  readonly id: string;
  readonly zone: string;
  readonly source: string;
  readonly holidays: DatesByYear;
  readonly earlyCloses: Readonly<Record<string, DatesByYear>>;
}

function instrument(id: string): Instrument {
  const found = instruments.get(pairId(id));
  if (found === undefined) throw new Error(`${id} is in the catalogue`);
  return found;
}

/** The hours in which a pair trades on a local date, found minute by minute: `09:30-16:00`, or `closed`. */
function hoursOn(id: string, date: string): string {
  const { session } = instrument(id);
  const dayNumber = dayNumberFromText(date);
  if (dayNumber === null) throw new Error(`${date} is a date`);
  const stretches: [number, number][] = [];
  for (let minute = 0; minute < DAY_MINUTES; minute += 1) {
    if (!isOpen(session, instantOfLocalTime(session.zone, dayNumber, minute))) continue;
    const last = stretches.at(-1);
    if (last?.[1] === minute) last[1] = minute + 1;
    else stretches.push([minute, minute + 1]);
  }
  return stretches.map(([from, to]) => `${clock(from)}-${clock(to)}`).join(" ") || "closed";
}

function clock(minute: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

const NEW_YORK = "09:30-16:00";
const NEW_YORK_HALF = "09:30-13:00";
const LONDON = "08:00-16:30";
const LONDON_HALF = "08:00-12:30";
const XETRA = "09:00-17:30";
const XETRA_HALF = "09:00-14:00";
const TOKYO_BEFORE = "09:00-11:30 12:30-15:00";
const TOKYO = "09:00-11:30 12:30-15:30";
const WHOLE_DAY = "00:00-24:00";
const TO_FIVE = "00:00-17:00";
const FROM_FIVE = "17:00-24:00";

describe("well-known days, written down by hand from published calendars [D6.sessions]", () => {
  test.each([
    // Crypto trades on every day.
    ["BTCUSD", "2024-02-29", WHOLE_DAY],
    ["BTCUSD", "2027-12-25", WHOLE_DAY],
    ["BTCUSD", "2028-12-31", WHOLE_DAY],
    // Currencies and metals do not trade on four holidays, each moved to the nearest weekday, by New York's date.
    ["EURUSD", "2024-01-01", "closed"],
    ["EURUSD", "2024-03-29", "closed"],
    ["EURUSD", "2024-07-04", WHOLE_DAY],
    ["EURUSD", "2024-12-24", WHOLE_DAY],
    ["EURUSD", "2024-12-25", "closed"],
    ["EURUSD", "2024-12-26", "closed"],
    ["EURUSD", "2025-01-09", WHOLE_DAY],
    ["EURUSD", "2025-04-18", "closed"],
    ["EURUSD", "2025-04-21", WHOLE_DAY],
    ["EURUSD", "2026-12-25", "closed"],
    ["EURUSD", "2026-12-28", WHOLE_DAY],
    ["EURUSD", "2027-12-24", "closed"],
    ["EURUSD", "2027-12-26", FROM_FIVE],
    ["EURUSD", "2027-12-27", "closed"],
    ["EURUSD", "2027-12-31", "closed"],
    ["EURUSD", "2028-01-02", FROM_FIVE],
    ["EURUSD", "2028-01-03", WHOLE_DAY],
    ["EURUSD", "2028-02-29", WHOLE_DAY],
    ["EURUSD", "2028-12-29", TO_FIVE],
    ["EURUSD", "2028-12-30", "closed"],
    ["EURUSD", "2028-12-31", FROM_FIVE],
    ["XAUUSD", "2028-04-14", "closed"],
    ["XAUUSD", "2028-12-25", "closed"],
    ["WTI", "2028-12-26", "closed"],
    // New York.
    ["AAPL", "2024-01-02", NEW_YORK],
    ["AAPL", "2024-02-29", NEW_YORK],
    ["AAPL", "2024-06-19", "closed"],
    ["AAPL", "2024-07-03", NEW_YORK_HALF],
    ["AAPL", "2024-11-29", NEW_YORK_HALF],
    ["AAPL", "2024-12-24", NEW_YORK_HALF],
    ["AAPL", "2024-12-31", NEW_YORK],
    ["AAPL", "2025-01-09", "closed"],
    ["AAPL", "2025-07-03", NEW_YORK_HALF],
    ["AAPL", "2025-11-28", NEW_YORK_HALF],
    ["AAPL", "2025-12-24", NEW_YORK_HALF],
    ["AAPL", "2026-04-03", "closed"],
    ["AAPL", "2026-07-02", NEW_YORK],
    ["AAPL", "2026-07-03", "closed"],
    ["AAPL", "2026-11-27", NEW_YORK_HALF],
    ["AAPL", "2026-12-24", NEW_YORK_HALF],
    ["AAPL", "2027-06-18", "closed"],
    ["AAPL", "2027-07-02", NEW_YORK],
    ["AAPL", "2027-07-05", "closed"],
    ["AAPL", "2027-11-26", NEW_YORK_HALF],
    ["AAPL", "2027-12-23", NEW_YORK],
    ["AAPL", "2027-12-24", "closed"],
    ["AAPL", "2027-12-31", NEW_YORK],
    ["SPX", "2028-01-03", NEW_YORK],
    ["SPX", "2028-02-29", NEW_YORK],
    ["SPX", "2028-07-03", NEW_YORK_HALF],
    ["SPX", "2028-11-23", "closed"],
    ["SPX", "2028-11-24", NEW_YORK_HALF],
    ["SPX", "2028-12-22", NEW_YORK],
    ["SPX", "2028-12-25", "closed"],
    ["SPX", "2028-12-29", NEW_YORK],
    // London.
    ["FTSE", "2024-03-29", "closed"],
    ["FTSE", "2024-05-06", "closed"],
    ["FTSE", "2024-12-24", LONDON_HALF],
    ["FTSE", "2024-12-31", LONDON_HALF],
    ["FTSE", "2025-01-02", LONDON],
    ["FTSE", "2025-08-25", "closed"],
    ["FTSE", "2026-08-31", "closed"],
    ["FTSE", "2026-12-28", "closed"],
    ["FTSE", "2027-12-24", LONDON_HALF],
    ["FTSE", "2027-12-27", "closed"],
    ["FTSE", "2027-12-28", "closed"],
    ["FTSE", "2027-12-31", LONDON_HALF],
    ["FTSE", "2028-01-03", "closed"],
    ["FTSE", "2028-02-29", LONDON],
    ["FTSE", "2028-05-29", "closed"],
    ["FTSE", "2028-12-22", LONDON_HALF],
    ["FTSE", "2028-12-26", "closed"],
    ["FTSE", "2028-12-29", LONDON_HALF],
    // Xetra, which trades on Ascension, Whit Monday and the Day of German Unity.
    ["GDAXI", "2024-05-01", "closed"],
    ["GDAXI", "2024-05-20", XETRA],
    ["GDAXI", "2024-10-03", XETRA],
    ["GDAXI", "2024-12-23", XETRA],
    ["GDAXI", "2024-12-24", "closed"],
    ["GDAXI", "2024-12-30", XETRA_HALF],
    ["GDAXI", "2024-12-31", "closed"],
    ["GDAXI", "2026-12-28", XETRA],
    ["GDAXI", "2027-12-27", XETRA],
    ["GDAXI", "2027-12-30", XETRA_HALF],
    ["GDAXI", "2028-01-03", XETRA],
    ["GDAXI", "2028-02-29", XETRA],
    ["GDAXI", "2028-04-17", "closed"],
    ["GDAXI", "2028-05-01", "closed"],
    ["GDAXI", "2028-12-26", "closed"],
    ["GDAXI", "2028-12-29", XETRA_HALF],
    // Tokyo, which closed at 15:00 until the autumn of 2024.
    ["N225", "2024-01-03", "closed"],
    ["N225", "2024-01-04", TOKYO_BEFORE],
    ["N225", "2024-08-12", "closed"],
    ["N225", "2024-11-01", TOKYO_BEFORE],
    ["N225", "2024-11-04", "closed"],
    ["N225", "2024-11-05", TOKYO],
    ["N225", "2024-12-30", TOKYO],
    ["N225", "2025-02-24", "closed"],
    ["N225", "2025-05-06", "closed"],
    ["N225", "2025-11-24", "closed"],
    ["N225", "2026-09-21", "closed"],
    ["N225", "2026-09-22", "closed"],
    ["N225", "2026-09-23", "closed"],
    ["N225", "2027-03-22", "closed"],
    ["N225", "2027-12-31", "closed"],
    ["N225", "2028-01-03", "closed"],
    ["N225", "2028-01-04", TOKYO],
    ["N225", "2028-02-29", TOKYO],
    ["N225", "2028-03-20", "closed"],
    ["N225", "2028-09-22", "closed"],
    ["N225", "2028-12-29", TOKYO],
    ["N225", "2020-10-01", "closed"],
  ])("%s on %s has the hours %s", (id, date, hours) => {
    expect(hoursOn(id, date)).toBe(hours);
  });
});

describe("when summer time starts and ends, in UTC [D6.sessions]", () => {
  test.each([
    // Columns: pair, first open minute, first closed minute.
    ["AAPL, winter", "2028-03-10T14:30:00Z", "2028-03-10T21:00:00Z"],
    ["AAPL, New York ahead of London", "2028-03-13T13:30:00Z", "2028-03-13T20:00:00Z"],
    ["FTSE, New York ahead of London", "2028-03-13T08:00:00Z", "2028-03-13T16:30:00Z"],
    ["GDAXI, New York ahead of Berlin", "2028-03-24T08:00:00Z", "2028-03-24T16:30:00Z"],
    ["FTSE, summer", "2028-03-27T07:00:00Z", "2028-03-27T15:30:00Z"],
    ["GDAXI, summer", "2028-03-27T07:00:00Z", "2028-03-27T15:30:00Z"],
    ["FTSE, last day of summer", "2028-10-27T07:00:00Z", "2028-10-27T15:30:00Z"],
    ["FTSE, London ahead of New York", "2028-10-30T08:00:00Z", "2028-10-30T16:30:00Z"],
    ["AAPL, London ahead of New York", "2028-11-03T13:30:00Z", "2028-11-03T20:00:00Z"],
    ["AAPL, winter again", "2028-11-06T14:30:00Z", "2028-11-06T21:00:00Z"],
    ["EURUSD, the week before", "2028-03-05T22:00:00Z", "2028-03-10T22:00:00Z"],
    ["EURUSD, the Sunday of the change", "2028-03-12T21:00:00Z", "2028-03-17T21:00:00Z"],
    ["EURUSD, the last week of summer", "2028-10-29T21:00:00Z", "2028-11-03T21:00:00Z"],
    ["EURUSD, back on the Sunday", "2028-11-05T22:00:00Z", "2028-11-10T22:00:00Z"],
    ["N225, which has none", "2028-03-27T00:00:00Z", "2028-03-27T02:30:00Z"],
  ])("%s: the market opens at %s and closes at %s", (name, opens, closes) => {
    const { session } = instrument(name.split(",")[0] ?? "");
    const around = [Date.parse(opens), Date.parse(closes)].flatMap((at) => [at - 1, at]);
    expect(around.map((at) => isOpen(session, unixMs(at)))).toEqual([false, true, true, false]);
  });
});

describe("the end of the catalogue's calendar [D6.sessions]", () => {
  test.each(sessions)("the calendar $id ends with 2028", ({ id, holidays, earlyCloses }) => {
    const years = Array.from({ length: 17 }, (_, index) => String(2012 + index));
    const tables = [holidays, ...Object.values(earlyCloses)];
    expect(tables.map((table) => Object.keys(table))).toEqual(
      id === "always" ? [[]] : tables.map(() => years),
    );
    const traded = [...instruments.values()].filter((one) => one.session.id === id);
    expect(traded.length).toBeGreaterThan(0);
    for (const { session: parsed } of traded) {
      expect(parsed.knownUntil).toBe(id === "always" ? undefined : "2028-12-31");
    }
  });

  test("no holiday and no half day falls on a day that is closed anyway", () => {
    const idle = [...instruments.values()].flatMap(({ session }) =>
      [...session.holidays, ...session.earlyCloses.keys()].filter((date) => {
        const weekday = localTime("UTC", unixMs(Date.parse(`${date}T12:00:00Z`))).weekday;
        return weekday === 0 || weekday === 6;
      }),
    );
    expect(idle).toEqual([]);
  });
});

describe("docs/domain/sessions.md [D6.sessions]", () => {
  const page = readFileSync(
    new URL("../../../../docs/domain/sessions.md", import.meta.url),
    "utf8",
  );

  test.each(sessions)(
    "the page has $id, its zone and its source word for word",
    ({ id, zone, source }) => {
      expect(page).toContain(`| \`${id}\` |`);
      expect(page).toContain(zone);
      expect(page).toContain(source);
    },
  );
});
