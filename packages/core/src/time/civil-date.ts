/**
 * A date of the Gregorian calendar. Months count from 1. The functions below count days from 1970-01-01 and weekdays
 * from 0 for Sunday, without `Date`.
 */
export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const DAYS_IN_400_YEARS = 146_097;
/** Days from 0000-03-01 to 1970-01-01. */
const EPOCH_SHIFT = 719_468;

/** The number of days from 1970-01-01 to the date. */
export function dayNumberOf({ year, month, day }: CivilDate): number {
  // Years are counted from March, so that the leap day is the last day of its year.
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  return era * DAYS_IN_400_YEARS + yearOfEra * 365 + leapDays + dayOfYear - EPOCH_SHIFT;
}

/** The date that is this number of days after 1970-01-01. */
export function civilDateOf(dayNumber: number): CivilDate {
  const days = dayNumber + EPOCH_SHIFT;
  const era = Math.floor(days / DAYS_IN_400_YEARS);
  const dayOfEra = days - era * DAYS_IN_400_YEARS;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const yearStart = 365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100);
  const dayOfYear = dayOfEra - yearStart;
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

/** The day of the week; 0 is Sunday. */
export function weekdayOf(dayNumber: number): number {
  return (((dayNumber + 4) % 7) + 7) % 7;
}

/** The date as `YYYY-MM-DD`. */
export function dateText(dayNumber: number): string {
  const { year, month, day } = civilDateOf(dayNumber);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

/** The day of a text `YYYY-MM-DD`; null for a text that is not a calendar date, such as `2025-02-29`. */
export function dayNumberFromText(text: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return null;
  const dayNumber = dayNumberOf({
    year: Number(match[1]),
    month: Number(match[2]),
    day: Number(match[3]),
  });
  return dateText(dayNumber) === text ? dayNumber : null;
}
