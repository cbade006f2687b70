/** When a pair can be traded: its market is open and its quote is fresh. */
import { dateText, weekdayOf } from "../time/civil-date.ts";
import { DAY_MS } from "../time/utc-day.ts";
import { instantOf, localTime } from "../time/zone.ts";
import { type UnixMs, unixMs } from "../units.ts";
import type { Instrument } from "./instrument.ts";
import type { Quote } from "./quote.ts";
import type { OpenStretch, Session } from "./session.ts";

const DAY_MINUTES = 1_440;
const MINUTE_MS = 60_000;
/** Longer than any run of holidays; a market that stays closed longer has no next opening. */
const SEARCH_DAYS = 40;
/** A retired pair that has had no price for this long gets no other. */
const RETIRED_SILENCE_MS = 3_600_000;

/** Whether the market is open: each stretch includes its first instant and not its last. @rule D6.sessions decides */
export function isOpen(session: Session, now: UnixMs): boolean {
  const { dayNumber, weekday, minute } = localTime(session.zone, now);
  const weekMinute = weekday * DAY_MINUTES + minute;
  const inHours = session.weekly.some(
    (stretch) => covers(stretch, weekMinute) && appliesOn(stretch, dayNumber),
  );
  if (!inHours) return false;
  if (session.holidays.size === 0 && session.earlyCloses.size === 0) return true;
  const date = dateText(dayNumber);
  if (session.holidays.has(date)) return false;
  const closesAt = session.earlyCloses.get(date);
  return closesAt === undefined || minute < closesAt;
}

/** The next time at which the market is open: `now` itself while it is open. */
export function nextOpening(session: Session, now: UnixMs): UnixMs | null {
  return isOpen(session, now) ? now : firstBoundary(session, soon(now, true));
}

/** The next time at which the market is closed; null for a market that never closes. */
export function nextClose(session: Session, now: UnixMs): UnixMs | null {
  return isOpen(session, now) ? firstBoundary(session, soon(now, false)) : now;
}

/**
 * True after the last date with known holidays: from then on a holiday counts as an ordinary day. @rule D6.sessions
 */
export function isBeyondCalendar({ zone, knownUntil }: Session, now: UnixMs): boolean {
  return knownUntil !== undefined && dateText(localTime(zone, now).dayNumber) > knownUntil;
}

/** True when the market was open for the whole time between the two, both included. */
export function isOpenThroughout(session: Session, from: UnixMs, to: UnixMs): boolean {
  if (!isOpen(session, to)) return false;
  // Markets open and close at whole minutes.
  if (Math.floor(from / MINUTE_MS) === Math.floor(to / MINUTE_MS)) return true;
  return isOpen(session, from) && firstBoundary(session, { from, to, open: false }) === null;
}

/**
 * True when the quote is recent enough and from the session in progress, its pair is not halted and it was not adjusted
 * for a corporate action. A quote exactly as old as the limit is fresh; one from before the opening is not.
 * @rule D5.freshQuote D10.closedMarkets D11.scale @rule D10.haltedFills decides
 */
export function isFresh(quote: Quote, instrument: Instrument, now: UnixMs): boolean {
  if (quote.standing === "halted") return false;
  if (isLastPrice(quote, instrument, now)) return true;
  return quote.adjustedToMs === undefined && isRecent(quote, instrument, now);
}

/**
 * True for the last price of a retired pair: its market has been open for an hour, and no source has sent a price in
 * that time. The owner may close at it, so it judges too. @rule D13.retired decides
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

/** Recent enough, and from the session in progress. */
export function isRecent(quote: Quote, instrument: Instrument, now: UnixMs): boolean {
  if (now - quote.atMs > instrument.staleAfterMs || isFromFuture(quote.atMs, now)) return false;
  return isOpenThroughout(instrument.session, quote.atMs, now);
}

/** Clocks that agree differ by less. */
const AHEAD_MAX_MS = 5_000;

/** True for a time in the future: a clock was wrong then, or is wrong now. @rule D11.futureQuote decides */
export function isFromFuture(atMs: UnixMs, now: UnixMs): boolean {
  return atMs - now > AHEAD_MAX_MS;
}

/** A stretch that ends before it starts wraps around the end of the week. */
function covers(stretch: OpenStretch, weekMinute: number): boolean {
  const from = stretch.fromDay * DAY_MINUTES + stretch.fromMinute;
  const to = stretch.toDay * DAY_MINUTES + stretch.toMinute;
  if (from < to) return weekMinute >= from && weekMinute < to;
  return weekMinute >= from || weekMinute < to;
}

/** Opening hours that change are two stretches: the old one has a last day, the new one a first day. */
function appliesOn({ firstDayNumber, lastDayNumber }: OpenStretch, dayNumber: number): boolean {
  if (firstDayNumber !== undefined && dayNumber < firstDayNumber) return false;
  return lastDayNumber === undefined || dayNumber <= lastDayNumber;
}

interface Search {
  readonly from: UnixMs;
  readonly to: UnixMs;
  readonly open: boolean;
}

function soon(from: UnixMs, open: boolean): Search {
  return { from, to: unixMs(from + SEARCH_DAYS * DAY_MS), open };
}

/** The first instant after `from`, up to `to`, at which the market is open, or closed. */
function firstBoundary(session: Session, { from, to, open }: Search): UnixMs | null {
  const lastDay = localTime(session.zone, to).dayNumber;
  let dayNumber = localTime(session.zone, from).dayNumber;
  for (; dayNumber <= lastDay; dayNumber += 1) {
    for (const minute of boundaryMinutes(session, dayNumber)) {
      const at = instantOf(session.zone, dayNumber, minute);
      if (at > from && at <= to && isOpen(session, at) === open) return at;
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
