/** When a pair can be traded: its market is open and its quote is fresh. */
import { dateText, weekdayOf } from "../time/civil-date.ts";
import { instantOf, localTime } from "../time/zone.ts";
import type { UnixMs } from "../units.ts";
import type { Instrument } from "./instrument.ts";
import type { Quote } from "./quote.ts";
import type { OpenStretch, Session } from "./session.ts";

const DAY_MINUTES = 1_440;
/** Longer than any run of holidays; a market that stays shut beyond it has no next opening. */
const SEARCH_DAYS = 40;

/** A stretch includes its first instant and not its last. @rule D6.sessions */
export function isOpen(session: Session, now: UnixMs): boolean {
  const { dayNumber, weekday, minute } = localTime(session.zone, now);
  const weekMinute = weekday * DAY_MINUTES + minute;
  const inHours = session.weekly.some(
    (stretch) => covers(stretch, weekMinute) && isKept(stretch, dayNumber),
  );
  if (!inHours) return false;
  if (session.holidays.size === 0 && session.earlyCloses.size === 0) return true;
  const date = dateText(dayNumber);
  if (session.holidays.has(date)) return false;
  const closesAt = session.earlyCloses.get(date);
  return closesAt === undefined || minute < closesAt;
}

/** The first instant from `now` on at which the market is open: `now` itself while it is. */
export function nextOpening(session: Session, now: UnixMs): UnixMs | null {
  return isOpen(session, now) ? now : firstBoundary(session, now, true);
}

/** The first instant from `now` on at which the market is closed; null for one that never closes. */
export function nextClose(session: Session, now: UnixMs): UnixMs | null {
  return isOpen(session, now) ? firstBoundary(session, now, false) : now;
}

/**
 * The clock has passed the last date whose holidays are known: from here on a holiday is taken for
 * an ordinary day. @rule D6.sessions
 */
export function isBeyondCalendar({ zone, knownUntil }: Session, now: UnixMs): boolean {
  return knownUntil !== undefined && dateText(localTime(zone, now).dayNumber) > knownUntil;
}

/** Young enough to fill at. Exactly as old as the limit is fresh. @rule D5.freshQuote */
export function isFresh(quote: Quote, instrument: Instrument, now: UnixMs): boolean {
  return now - quote.atMs <= instrument.staleAfterMs;
}

/** A stretch that ends before it begins runs over the end of the week. */
function covers(stretch: OpenStretch, weekMinute: number): boolean {
  const from = stretch.fromDay * DAY_MINUTES + stretch.fromMinute;
  const to = stretch.toDay * DAY_MINUTES + stretch.toMinute;
  if (from < to) return weekMinute >= from && weekMinute < to;
  return weekMinute >= from || weekMinute < to;
}

/** Hours that changed are two stretches, one until the day before, one from that day. */
function isKept({ firstDayNumber, lastDayNumber }: OpenStretch, dayNumber: number): boolean {
  if (firstDayNumber !== undefined && dayNumber < firstDayNumber) return false;
  return lastDayNumber === undefined || dayNumber <= lastDayNumber;
}

function firstBoundary(session: Session, now: UnixMs, open: boolean): UnixMs | null {
  const today = localTime(session.zone, now).dayNumber;
  for (let dayNumber = today; dayNumber <= today + SEARCH_DAYS; dayNumber += 1) {
    for (const minute of boundaryMinutes(session, dayNumber)) {
      const at = instantOf(session.zone, dayNumber, minute);
      if (at > now && isOpen(session, at) === open) return at;
    }
  }
  return null;
}

/** Every minute of a local day at which the market may open or close, in order. */
function boundaryMinutes(session: Session, dayNumber: number): readonly number[] {
  const weekday = weekdayOf(dayNumber);
  const minutes = new Set([0]);
  for (const stretch of session.weekly) {
    if (stretch.fromDay === weekday) minutes.add(stretch.fromMinute);
    if (stretch.toDay === weekday) minutes.add(stretch.toMinute);
  }
  const closesAt = session.earlyCloses.get(dateText(dayNumber));
  if (closesAt !== undefined) minutes.add(closesAt);
  return [...minutes].sort((one, other) => one - other);
}
