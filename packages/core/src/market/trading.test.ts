import { describe, expect, test } from "vitest";
import { pairId } from "../ids.ts";
import { TEST_CATALOGUE } from "../testing/catalogue.ts";
import { dayNumberFromText } from "../time/civil-date.ts";
import { price, unixMs } from "../units.ts";
import type { Session } from "./session.ts";
import {
  isBeyondCalendar,
  isFresh,
  isLastPrice,
  isOpen,
  nextClose,
  nextOpening,
} from "./trading.ts";

const at = (text: string) => unixMs(Date.parse(text));

const ALWAYS: Session = {
  id: "always",
  zone: "UTC",
  weekly: [{ fromDay: 0, fromMinute: 0, toDay: 6, toMinute: 1_440 }],
  holidays: new Set(),
  earlyCloses: new Map(),
};

const FOREX: Session = {
  id: "forex",
  zone: "America/New_York",
  weekly: [{ fromDay: 0, fromMinute: 1_020, toDay: 5, toMinute: 1_020 }],
  holidays: new Set(["2026-12-25"]),
  earlyCloses: new Map(),
};

const EXCHANGE: Session = {
  id: "exchange",
  zone: "America/New_York",
  weekly: [1, 2, 3, 4, 5].map((day) => ({
    fromDay: day,
    fromMinute: 570,
    toDay: day,
    toMinute: 960,
  })),
  holidays: new Set(["2026-11-26"]),
  earlyCloses: new Map([["2026-11-27", 780]]),
};

describe("market hours [D6.sessions]", () => {
  test.each<[string, Session, string, boolean]>([
    ["the last instant of a week", ALWAYS, "2026-11-21T23:59:59.999Z", true],
    ["the first instant of a week", ALWAYS, "2026-11-22T00:00:00.000Z", true],
    ["Sunday before five in winter", FOREX, "2026-11-22T21:59:59.999Z", false],
    ["Sunday at five in winter", FOREX, "2026-11-22T22:00:00.000Z", true],
    ["Sunday at five in summer", FOREX, "2026-07-05T21:00:00.000Z", true],
    ["Friday before five", FOREX, "2026-11-20T21:59:59.999Z", true],
    ["Friday at five", FOREX, "2026-11-20T22:00:00.000Z", false],
    ["a Saturday", FOREX, "2026-11-21T12:00:00.000Z", false],
    ["Christmas by New York's date", FOREX, "2026-12-25T05:00:00.000Z", false],
    ["the evening before Christmas", FOREX, "2026-12-25T04:59:59.999Z", true],
    ["half past nine", EXCHANGE, "2026-11-20T14:30:00.000Z", true],
    ["just before half past nine", EXCHANGE, "2026-11-20T14:29:59.999Z", false],
    ["four o'clock", EXCHANGE, "2026-11-20T21:00:00.000Z", false],
    ["Thanksgiving", EXCHANGE, "2026-11-26T15:00:00.000Z", false],
    ["a half day before one", EXCHANGE, "2026-11-27T17:59:59.999Z", true],
    ["a half day from one on", EXCHANGE, "2026-11-27T18:00:00.000Z", false],
  ])("a market is open or closed at its time: %s", (when, session, now, open) => {
    expect(isOpen(session, at(now)), when).toBe(open);
  });

  test("a stretch may wrap around the end of the week", () => {
    const weekend: Session = {
      ...ALWAYS,
      weekly: [{ fromDay: 5, fromMinute: 1_020, toDay: 1, toMinute: 60 }],
    };
    expect(isOpen(weekend, at("2026-11-21T12:00:00Z"))).toBe(true);
    expect(isOpen(weekend, at("2026-11-23T00:59:59Z"))).toBe(true);
    expect(isOpen(weekend, at("2026-11-23T01:00:00Z"))).toBe(false);
  });

  test("changed hours apply from their first date to their last", () => {
    const changed = dayNumberFromText("2024-11-05") ?? 0;
    const friday = { fromDay: 5, fromMinute: 750, toDay: 5, toMinute: 900 };
    const tuesday = { fromDay: 2, fromMinute: 750, toDay: 2, toMinute: 930 };
    const tokyo: Session = {
      ...ALWAYS,
      zone: "Asia/Tokyo",
      weekly: [
        { ...friday, lastDayNumber: changed - 1 },
        { ...friday, toMinute: 930, firstDayNumber: changed },
        { ...tuesday, firstDayNumber: changed },
      ],
    };
    expect(isOpen(tokyo, at("2024-11-01T05:59:59Z"))).toBe(true);
    expect(isOpen(tokyo, at("2024-11-01T06:00:00Z"))).toBe(false);
    expect(isOpen(tokyo, at("2024-10-29T05:00:00Z"))).toBe(false);
    expect(isOpen(tokyo, at("2024-11-08T06:29:59Z"))).toBe(true);
    expect(nextOpening(tokyo, at("2024-11-01T06:00:00Z"))).toBe(at("2024-11-05T03:30:00Z"));
    expect(nextClose(tokyo, at("2024-11-01T05:00:00Z"))).toBe(at("2024-11-01T06:00:00Z"));
    expect(nextClose(tokyo, at("2024-11-08T05:00:00Z"))).toBe(at("2024-11-08T06:30:00Z"));
  });

  test("a calendar ends after its last known local day", () => {
    const known = { ...EXCHANGE, knownUntil: "2028-12-31" };
    expect(isBeyondCalendar(known, at("2029-01-01T04:59:59.999Z"))).toBe(false);
    expect(isBeyondCalendar(known, at("2029-01-01T05:00:00Z"))).toBe(true);
    expect(isBeyondCalendar(ALWAYS, at("2099-01-01T00:00:00Z"))).toBe(false);
  });

  test.each<[Session, string, string | null, string | null]>([
    // Each row: the session, the present time, the next opening and the next close.
    [FOREX, "2026-11-21T12:00:00Z", "2026-11-22T22:00:00Z", "2026-11-21T12:00:00Z"],
    [FOREX, "2026-11-23T12:00:00Z", "2026-11-23T12:00:00Z", "2026-11-27T22:00:00Z"],
    [FOREX, "2026-12-25T12:00:00Z", "2026-12-27T22:00:00Z", "2026-12-25T12:00:00Z"],
    [EXCHANGE, "2026-11-25T22:00:00Z", "2026-11-27T14:30:00Z", "2026-11-25T22:00:00Z"],
    [EXCHANGE, "2026-11-27T15:00:00Z", "2026-11-27T15:00:00Z", "2026-11-27T18:00:00Z"],
    [ALWAYS, "2026-11-27T15:00:00Z", "2026-11-27T15:00:00Z", null],
  ])(
    "market $id, seen from %s, has the right next opening and close",
    (session, now, opening, close) => {
      expect(nextOpening(session, at(now))).toBe(opening === null ? null : at(opening));
      expect(nextClose(session, at(now))).toBe(close === null ? null : at(close));
    },
  );
});

describe("the age of a quote [D5.freshQuote]", () => {
  const instrument = TEST_CATALOGUE.get(pairId("BTCUSD"));
  const quote = { pair: pairId("BTCUSD"), bid: price(1), ask: price(1), atMs: unixMs(1_000_000) };

  test.each([
    [1_000_000, true],
    [1_060_000, true],
    [1_060_001, false],
    // The clock was wrong when the quote was made, or is wrong at present. @rule D11.futureQuote
    [995_000, true],
    [994_999, false],
  ])("a quote of 1000000 ms is fresh at %i ms: %s", (now, fresh) => {
    expect(instrument).toBeDefined();
    if (instrument !== undefined) expect(isFresh(quote, instrument, unixMs(now))).toBe(fresh);
  });

  test("the quote of a halted pair is never fresh [D10.haltedFills]", () => {
    if (instrument === undefined) throw new Error("the catalogue has no BTCUSD");
    expect(isFresh({ ...quote, standing: "halted" }, instrument, unixMs(1_000_000))).toBe(false);
  });

  test.each([
    ["of the session", "2026-11-20T14:30:00.000Z", "2026-11-20T14:30:30.000Z", true],
    ["over a full minute", "2026-11-20T14:59:30.000Z", "2026-11-20T15:00:30.000Z", true],
    ["from before the opening", "2026-11-20T14:29:59.999Z", "2026-11-20T14:30:00.000Z", false],
    ["while the market is closed", "2026-11-20T20:59:59.999Z", "2026-11-20T21:00:00.000Z", false],
    ["from before a pause", "2026-11-20T02:29:30.000Z", "2026-11-20T03:30:00.000Z", false],
    ["from after a pause", "2026-11-20T03:30:00.000Z", "2026-11-20T03:31:00.000Z", true],
  ])("a quote %s, made at %s, is fresh at %s: %s [D10.closedMarkets]", (what, made, now, fresh) => {
    const [start, pause] = [dayNumberFromText("2026-11-20") ?? 0, what.includes("pause")];
    const morning = {
      fromDay: 5,
      fromMinute: 540,
      toDay: 5,
      toMinute: 690,
      firstDayNumber: start,
    };
    const tokyo: Session = {
      ...ALWAYS,
      zone: "Asia/Tokyo",
      weekly: [morning, { ...morning, fromMinute: 750, toMinute: 930 }],
    };
    const session = pause ? tokyo : EXCHANGE;
    expect(instrument).toBeDefined();
    if (instrument === undefined) return;
    // The maximum age of a quote is longer than the market's break, so that the quote's age alone does not decide.
    const slow = { ...instrument, session, staleAfterMs: 2 * 3_600_000 };
    expect(isFresh({ ...quote, atMs: at(made) }, slow, at(now))).toBe(fresh);
  });
});

describe("the last price of a retired pair [D13.retired]", () => {
  const quoteAt = (text: string) => ({
    pair: pairId("AAPL"),
    bid: price(200),
    ask: price(200),
    atMs: at(text),
  });
  const retired = { retired: true, session: EXCHANGE } as const;

  test.each([
    [
      "an hour of the open market without a price",
      "2026-11-20T15:00:00Z",
      "2026-11-20T16:00:00Z",
      true,
    ],
    ["less than an hour", "2026-11-20T15:00:00Z", "2026-11-20T15:59:59.999Z", false],
    ["a night between", "2026-11-20T20:59:00Z", "2026-11-23T14:31:00Z", false],
    ["an hour after the opening", "2026-11-20T20:59:00Z", "2026-11-23T15:30:00Z", true],
    ["a closed market", "2026-11-20T15:00:00Z", "2026-11-20T22:00:00Z", false],
  ])("a retired pair's price is its last or not, %s: from %s to %s", (_, made, now, isLast) => {
    expect(isLastPrice(quoteAt(made), retired, at(now))).toBe(isLast);
  });

  test("a halted price is not the last one, and neither is that of a pair that is only blocked", () => {
    const quote = quoteAt("2026-11-20T15:00:00Z");
    const now = at("2026-11-20T17:00:00Z");
    expect(isLastPrice({ ...quote, standing: "halted" }, retired, now)).toBe(false);
    expect(isLastPrice({ ...quote, standing: "stored" }, retired, now)).toBe(true);
    expect(isLastPrice(quote, { session: EXCHANGE }, now)).toBe(false);
  });
});
