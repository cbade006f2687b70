import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sessionDates } from "../../../../tools/market-sessions.ts";
import { ownDataFile } from "./data-file.ts";

const { sessions } = JSON.parse(readFileSync(ownDataFile("catalogue.json"), "utf8"));

describe("the catalogue's calendar [D6.sessions]", () => {
  test.each(["forex", "newYork", "london", "frankfurt", "tokyo"])(
    "%s holds the dates that tools/market-sessions.ts computes",
    (id) => {
      const session = sessions.find((one: { id: string }) => one.id === id);
      const { holidays, earlyCloses } = session;
      expect({ holidays, earlyCloses }).toEqual(sessionDates(id));
    },
  );

  test.each([
    // session, year, dates written down by hand
    ["newYork", "2024", "01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25"],
    ["newYork", "2025", "01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25"],
    ["newYork", "2026", "01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25"],
    ["newYork", "2021", "01-01 01-18 02-15 04-02 05-31 07-05 09-06 11-25 12-24"],
    ["london", "2022", "01-03 04-15 04-18 05-02 06-02 06-03 08-29 09-19 12-26 12-27"],
    ["london", "2025", "01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26"],
    ["london", "2020", "01-01 04-10 04-13 05-08 05-25 08-31 12-25 12-28"],
    ["frankfurt", "2025", "01-01 04-18 04-21 05-01 12-24 12-25 12-26 12-31"],
    ["frankfurt", "2018", "01-01 03-30 04-02 05-01 05-21 10-03 12-24 12-25 12-26 12-31"],
    [
      "tokyo",
      "2024",
      "01-01 01-02 01-03 01-08 02-12 02-23 03-20 04-29 05-03 05-06 07-15 08-12 09-16 09-23 10-14 11-04 12-31",
    ],
    [
      "tokyo",
      "2019",
      "01-01 01-02 01-03 01-14 02-11 03-21 04-29 04-30 05-01 05-02 05-03 05-06 07-15 08-12 09-16 09-23 10-14 10-22 11-04 12-31",
    ],
  ])("%s in %s", (id, year, dates) => {
    const session = sessions.find((one: { id: string }) => one.id === id);
    expect(session.holidays[year]).toBe(dates);
  });

  test.each([
    ["newYork", "13:00", "2024", "07-03 11-29 12-24"],
    ["newYork", "13:00", "2025", "07-03 11-28 12-24"],
    ["newYork", "13:00", "2026", "11-27 12-24"],
    ["london", "12:30", "2022", "12-23 12-30"],
    ["frankfurt", "14:00", "2025", "12-30"],
  ])("%s closes at %s in %s on %s", (...[id, time, year, dates]) => {
    const session = sessions.find((one: { id: string }) => one.id === id);
    expect(session.earlyCloses[time][year]).toBe(dates);
  });
});
