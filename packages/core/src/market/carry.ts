/** The cost of holding a position, called carry, and when it is due. */
import { weekdayOf } from "../time/civil-date.ts";
import { DAY_MS } from "../time/utc-day.ts";
import { type MicroUsd, microUsd, roundMicroUsd, type UnixMs, unixMs } from "../units.ts";
import type { CarryModel } from "./instrument.ts";

const HOUR_MS = 3_600_000;
/**
 * The rate of an hour may arrive a little after the hour, so its funding is charged five minutes after the hour.
 * @rule D11.funding
 */
export const FUNDING_DELAY_MS = 300_000;
const EIGHT_HOURS_MS = 8 * HOUR_MS;
const DAILY_HOUR_MS = 21 * HOUR_MS;
const WEDNESDAY = 3;
/** The days that Wednesday's charge covers: Wednesday and the two days of the weekend. */
const WEDNESDAY_DAYS = 3;

/**
 * The time of the first charge strictly after `after`: every eight hours from 00:00 UTC, at 21:00 UTC from Monday to
 * Friday, or five minutes after every hour; null when the model never charges. `carryOf` computes the amount.
 * @rule D7.carry decides
 */
export function nextCarryMs(carry: CarryModel, after: UnixMs): UnixMs | null {
  switch (carry.kind) {
    case "none":
      return null;
    case "everyEightHours":
      return unixMs((Math.floor(after / EIGHT_HOURS_MS) + 1) * EIGHT_HOURS_MS);
    case "daily":
      return nextWeekdayCharge(after);
    case "everyHour":
      return unixMs(
        (Math.floor((after - FUNDING_DELAY_MS) / HOUR_MS) + 1) * HOUR_MS + FUNDING_DELAY_MS,
      );
  }
}

/** The hour that a charge of funding covers; `dueMs` is when the charge is due. */
export function fundedHourMs(dueMs: UnixMs): UnixMs {
  return unixMs(dueMs - FUNDING_DELAY_MS);
}

/**
 * The charge on a value that is held at `dueMs`; 0 without a rate. For funding this is the charge of a long; the charge
 * of a short has the opposite sign. @rule D7.carry
 */
export function carryOf(carry: CarryModel, dueMs: UnixMs, value: MicroUsd): MicroUsd {
  if (carry.kind === "none" || carry.rate === null) return microUsd(0);
  const days = carry.kind === "daily" && weekdayAt(dueMs) === WEDNESDAY ? WEDNESDAY_DAYS : 1;
  return roundMicroUsd(Math.abs(value) * carry.rate * days);
}

/** The next 21:00 UTC on a day from Monday to Friday, strictly after `after`. */
function nextWeekdayCharge(after: UnixMs): UnixMs {
  let dayNumber = Math.floor((after - DAILY_HOUR_MS) / DAY_MS) + 1;
  while (isWeekend(weekdayOf(dayNumber))) dayNumber += 1;
  return unixMs(dayNumber * DAY_MS + DAILY_HOUR_MS);
}

function isWeekend(weekday: number): boolean {
  return weekday === 0 || weekday === 6;
}

function weekdayAt(at: UnixMs): number {
  return weekdayOf(Math.floor(at / DAY_MS));
}
