/** Whether a pair can be traded: its market is open and its quote is fresh. */
import { dateText, weekdayOf } from "../time/civil-date.ts";
import { DAY_MS } from "../time/utc-day.ts";
import { instantOfLocalTime, localTime } from "../time/zone.ts";
import { type UnixMs, unixMs } from "../units.ts";
import type { Instrument } from "./instrument.ts";
import type { Quote } from "./quote.ts";
import type { OpenStretch, Session } from "./session.ts";

const DAY_MINUTES = 1_440;
const MINUTE_MS = 60_000;
/** How far ahead an opening or closing is searched: longer than any run of holidays. */
const SEARCH_DAYS = 40;
/** After this time of open market without a new price, the last price of a retired pair fills exits. */
const RETIRED_SILENCE_MS = 3_600_000;

/**
 * Whether the market is open at this time: within its weekly hours, not on a holiday and not after an early close. A
 * stretch of hours includes its first instant and not its last. @rule D6.sessions decides
 */
export function isOpen(session: Session, now: UnixMs): boolean {
  const { dayNumber, weekday, minute } = localTime(session.zone, now);
  const weekMinute = weekday * DAY_MINUTES + minute;
  const inHours = session.weekly.some(
    (stretch) => coversMinute(stretch, weekMinute) && appliesOn(stretch, dayNumber),
  );
  if (!inHours) return false;
  if (session.holidays.size === 0 && session.earlyCloses.size === 0) return true;
  const date = dateText(dayNumber);
  if (session.holidays.has(date)) return false;
  const closesAt = session.earlyCloses.get(date);
  return closesAt === undefined || minute < closesAt;
}

/**
 * The next time at which the market is open: `now` itself while it is open. Null when it does not open within 40 days.
 */
export function nextOpening(session: Session, now: UnixMs): UnixMs | null {
  return isOpen(session, now) ? now : firstBoundary(session, searchWindow(now, true));
}

/**
 * The next time at which the market is closed: `now` itself while it is closed. Null when it does not close within 40
 * days.
 */
export function nextClose(session: Session, now: UnixMs): UnixMs | null {
  return isOpen(session, now) ? firstBoundary(session, searchWindow(now, false)) : now;
}

/** True after the last date with known holidays. From then on a holiday counts as an ordinary day. @rule D6.sessions */
export function isBeyondCalendar({ zone, knownUntil }: Session, now: UnixMs): boolean {
  return knownUntil !== undefined && dateText(localTime(zone, now).dayNumber) > knownUntil;
}

/** True when the market was open for the whole time from `from` to `to`, both included. */
export function isOpenThroughout(session: Session, from: UnixMs, to: UnixMs): boolean {
  if (!isOpen(session, to)) return false;
  // Within one minute no market opens or closes, because that happens only at whole minutes.
  if (Math.floor(from / MINUTE_MS) === Math.floor(to / MINUTE_MS)) return true;
  return isOpen(session, from) && firstBoundary(session, { from, to, open: false }) === null;
}

/**
 * True for a quote at which orders may fill: it is recent enough and from the session in progress, its pair is not
 * halted and it was not adjusted for a corporate action. The last price of a retired pair is fresh too. A quote exactly
 * as old as the limit is fresh; one from before the opening is not. @rule D5.freshQuote D10.closedMarkets D11.scale
 * @rule D10.haltedFills decides
 */
export function isFresh(quote: Quote, instrument: Instrument, now: UnixMs): boolean {
  if (quote.standing === "halted") return false;
  if (isLastPrice(quote, instrument, now)) return true;
  return quote.adjustedToMs === undefined && isRecent(quote, instrument, now);
}

/**
 * True for the last price of a retired pair that is not halted: its market has been open for an hour, and the price is
 * at least that old. The owner may close at it, so accounts are judged at it too. @rule D13.retired decides
 */
export function isLastPrice(
  quote: Quote,
  { retired, session }: Pick<Instrument, "retired" | "session">,
  now: UnixMs,
): boolean {
  if (retired !== true || quote.standing === "halted") return false;
  const since = unixMs(now - RETIRED_SILENCE_MS);
  return quote.atMs <= since && isOpenThroughout(session, since, now);
}

/**
 * True when the quote is not older than the instrument's limit, not from the future, and from the session in progress.
 */
export function isRecent(quote: Quote, instrument: Instrument, now: UnixMs): boolean {
  if (now - quote.atMs > instrument.staleAfterMs || isFromFuture(quote.atMs, now)) return false;
  return isOpenThroughout(instrument.session, quote.atMs, now);
}

/** The largest accepted difference between the clocks of two machines. */
const AHEAD_MAX_MS = 5_000;

/**
 * True for a time more than 5 s ahead of `now`: a clock was wrong when the time was taken, or is wrong at present. A
 * quote with such a time is not fresh. @rule D11.futureQuote decides
 */
export function isFromFuture(atMs: UnixMs, now: UnixMs): boolean {
  return atMs - now > AHEAD_MAX_MS;
}

/**
 * Whether the stretch includes this minute of the week. A stretch that ends before it starts continues over the end of
 * the week.
 */
function coversMinute(stretch: OpenStretch, weekMinute: number): boolean {
  const from = stretch.fromDay * DAY_MINUTES + stretch.fromMinute;
  const to = stretch.toDay * DAY_MINUTES + stretch.toMinute;
  if (from < to) return weekMinute >= from && weekMinute < to;
  return weekMinute >= from || weekMinute < to;
}

/**
 * Whether the hours apply on this date. Hours that change are two stretches: the old one has a last day, the new one a
 * first day.
 */
function appliesOn({ firstDayNumber, lastDayNumber }: OpenStretch, dayNumber: number): boolean {
  if (firstDayNumber !== undefined && dayNumber < firstDayNumber) return false;
  return lastDayNumber === undefined || dayNumber <= lastDayNumber;
}

interface BoundarySearch {
  readonly from: UnixMs;
  readonly to: UnixMs;
  readonly open: boolean;
}

function searchWindow(from: UnixMs, open: boolean): BoundarySearch {
  return { from, to: unixMs(from + SEARCH_DAYS * DAY_MS), open };
}

/**
 * The first instant after `from`, up to `to`, at which the market is open (or closed, for `open: false`); null when
 * there is none.
 */
function firstBoundary(session: Session, { from, to, open }: BoundarySearch): UnixMs | null {
  const lastDay = localTime(session.zone, to).dayNumber;
  let dayNumber = localTime(session.zone, from).dayNumber;
  for (; dayNumber <= lastDay; dayNumber += 1) {
    for (const minute of boundaryMinutes(session, dayNumber)) {
      const at = instantOfLocalTime(session.zone, dayNumber, minute);
      if (at > from && at <= to && isOpen(session, at) === open) return at;
    }
  }
  return null;
}

/** The minutes of a local day at which the market may open or close, ascending. */
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
