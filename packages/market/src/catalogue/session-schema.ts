import { dayNumberFromText, type OpenStretch, type Session, ZONE_NAMES } from "@propgate/core";
import { z } from "zod";
import { schemaErrorTexts } from "./data-file.ts";

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const WEEKDAY_NAMES: readonly string[] = WEEKDAYS;
const CLOCK = "([01]\\d|2[0-3]):([0-5]\\d)|24:00";
const DAY = `(${WEEKDAYS.join("|")})`;
const STRETCH = new RegExp(
  `^${DAY} (${CLOCK}) - ${DAY} (${CLOCK})( (from|until) \\d{4}-\\d{2}-\\d{2})?$`,
);
const CLOCK_ONLY = new RegExp(`^(${CLOCK})$`);
/** The end of a text of hours that apply only from or until a date, such as ` from 2024-11-05`. */
const DATED = / (from|until) (\S+)$/;

const stretchText = z
  .string(schemaErrorTexts('must read like "Mon 09:30 - Mon 16:00"'))
  .regex(STRETCH, schemaErrorTexts('must read like "Mon 09:30 - Mon 16:00"'))
  .refine(
    (text) => !DATED.test(text) || dayNumberOfHours(text) !== null,
    schemaErrorTexts("must end with a date of the calendar"),
  );

/** The source of a session's hours. Its date shows how old the information is. */
const sourceText = z
  .string(schemaErrorTexts("must name the rule or calendar followed and the date it was looked up"))
  .regex(
    /\S.*\d{4}-\d{2}-\d{2}/,
    schemaErrorTexts("must name the rule or calendar followed and the date it was looked up"),
  );

/** Dates by year, each with month and day: `{"2026": "01-01 04-03"}`. */
const datesByYear = z
  .record(
    z.string().regex(/^\d{4}$/, schemaErrorTexts("must be a year")),
    z.string(schemaErrorTexts("must be a string of dates like 01-01 12-25")),
    schemaErrorTexts("must be an object of years"),
  )
  .superRefine((years, context) => {
    for (const [year, text] of Object.entries(years)) {
      const wrong = parseDates(year, text).find((date) => dayNumberFromText(date) === null);
      if (wrong === undefined) continue;
      context.addIssue({ code: "custom", path: [year], message: `has no date ${wrong}` });
    }
  });

const earlyCloses = z.record(
  z.string().regex(CLOCK_ONLY, schemaErrorTexts("must be a time like 13:00")),
  datesByYear,
  schemaErrorTexts("must be an object of times like 13:00"),
);

/**
 * Parses the hours of a market into a `Session`. The source is only for the people who maintain the file.
 * @rule D6.sessions
 */
export const sessionSchema = z
  .strictObject(
    {
      id: z.string(schemaErrorTexts("must be a name")).min(1, schemaErrorTexts("must be a name")),
      source: sourceText,
      zone: z.enum(ZONE_NAMES, schemaErrorTexts(`must be one of ${ZONE_NAMES.join(", ")}`)),
      weekly: z
        .array(stretchText, schemaErrorTexts("must be a list of stretches"))
        .min(1, schemaErrorTexts("must have at least one stretch")),
      holidays: datesByYear,
      earlyCloses,
    },
    schemaErrorTexts("must be a session"),
  )
  .transform(
    (session): Session => ({
      id: session.id,
      zone: session.zone,
      weekly: session.weekly.map(parseStretch),
      holidays: new Set(allDates(session.holidays)),
      earlyCloses: new Map(
        Object.entries(session.earlyCloses).flatMap(([time, years]) =>
          allDates(years).map((date): [string, number] => [date, parseClockMinutes(time)]),
        ),
      ),
      ...knownUntil(session.holidays),
    }),
  );

function parseStretch(text: string): OpenStretch {
  const [from = "", to = ""] = text.split(" - ");
  return {
    fromDay: weekdayNumber(from.slice(0, 3)),
    fromMinute: parseClockMinutes(from.slice(4)),
    toDay: weekdayNumber(to.slice(0, 3)),
    toMinute: parseClockMinutes(to.slice(4)),
    ...parseHourDates(text),
  };
}

function parseHourDates(text: string): Pick<OpenStretch, "firstDayNumber" | "lastDayNumber"> {
  const dayNumber = dayNumberOfHours(text);
  if (dayNumber === null) return {};
  return text.includes(" from ") ? { firstDayNumber: dayNumber } : { lastDayNumber: dayNumber };
}

function dayNumberOfHours(text: string): number | null {
  return dayNumberFromText(DATED.exec(text)?.[2] ?? "");
}

/** The end of the last year that lists holidays, even when its list is empty; absent when no year is listed. */
function knownUntil(holidays: Readonly<Record<string, string>>): Pick<Session, "knownUntil"> {
  const lastYear = Object.keys(holidays).toSorted().at(-1);
  return lastYear === undefined ? {} : { knownUntil: `${lastYear}-12-31` };
}

function weekdayNumber(name: string): number {
  return WEEKDAY_NAMES.indexOf(name);
}

function parseClockMinutes(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
}

function allDates(years: Readonly<Record<string, string>>): string[] {
  return Object.entries(years).flatMap(([year, text]) => parseDates(year, text));
}

function parseDates(year: string, text: string): string[] {
  return text
    .split(" ")
    .filter((date) => date !== "")
    .map((date) => `${year}-${date}`);
}
