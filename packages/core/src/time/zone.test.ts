import { describe, expect, test } from "vitest";
import { unixMs } from "../units.ts";
import {
  instantOfLocalTime,
  localTime,
  utcOffsetMinutes,
  ZONE_NAMES,
  type ZoneName,
} from "./zone.ts";

const at = (text: string) => unixMs(Date.parse(text));

describe("local time of the markets [D6.sessions]", () => {
  test.each<[ZoneName, string, number]>([
    // Summer time in New York in 2024 lasts from 10 March 07:00Z to 3 November 06:00Z.
    ["America/New_York", "2024-03-10T06:59:59.999Z", -300],
    ["America/New_York", "2024-03-10T07:00:00.000Z", -240],
    ["America/New_York", "2024-11-03T05:59:59.999Z", -240],
    ["America/New_York", "2024-11-03T06:00:00.000Z", -300],
    // Summer time in Europe in 2024 lasts from 31 March to 27 October, each at 01:00Z.
    ["Europe/London", "2024-03-31T00:59:59.999Z", 0],
    ["Europe/London", "2024-03-31T01:00:00.000Z", 60],
    ["Europe/London", "2024-10-27T00:59:59.999Z", 60],
    ["Europe/London", "2024-10-27T01:00:00.000Z", 0],
    ["Europe/Berlin", "2024-03-31T01:00:00.000Z", 120],
    ["Europe/Berlin", "2024-10-27T01:00:00.000Z", 60],
    ["Asia/Tokyo", "2024-07-01T00:00:00.000Z", 540],
    ["UTC", "2024-07-01T00:00:00.000Z", 0],
  ])("%s at %s is %i minutes from UTC", (zone, instant, minutes) => {
    expect(utcOffsetMinutes(zone, at(instant))).toBe(minutes);
  });

  test.each([...ZONE_NAMES])("%s agrees with the platform at every hour of six years", (zone) => {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    });
    for (let ms = at("2023-01-01T00:30:00Z"); ms < at("2029-01-01T00:00:00Z"); ) {
      const { dayNumber, minute } = localTime(zone, ms);
      const day = new Date(dayNumber * 86_400_000).getUTCDate();
      const computed = `${day}, ${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
      const theirs = format.format(ms);
      if (theirs !== computed) expect(`${ms} ${computed}`).toBe(`${ms} ${theirs}`);
      ms = unixMs(ms + 3_600_000);
    }
  });

  test.each([...ZONE_NAMES])(
    "an instant computed from local time in %s shows that local time",
    (zone) => {
      for (let dayNumber = 20_000; dayNumber < 20_400; dayNumber += 1) {
        for (const minute of [0, 240, 570, 1_020, 1_439]) {
          const { dayNumber: day, minute: back } = localTime(
            zone,
            instantOfLocalTime(zone, dayNumber, minute),
          );
          if (day !== dayNumber || back !== minute)
            expect([day, back]).toEqual([dayNumber, minute]);
        }
      }
    },
  );

  test("a local time that occurs twice means the first occurrence", () => {
    const november3 = 20_030;
    expect(instantOfLocalTime("America/New_York", november3, 90)).toBe(at("2024-11-03T05:30:00Z"));
  });
});
