import {
  actionId,
  type CorporateAction,
  pairId,
  price,
  type Quote,
  quoteInScale,
  type Session,
  unixMs,
} from "@propgate/core";
import { describe, expect, test } from "vitest";
import { madeCatalogue, madeInstrument } from "../../../../server/src/testing/made-instrument.ts";
import { madeQuote } from "../../../../server/src/testing/made-quote.ts";
import { madeQuoteFlow } from "../../../../server/src/testing/made-quote-flow.ts";
import type { NumberedQuote, OfferedQuote } from "./numbered-quote.ts";
import type { OutlierFilter } from "./outlier-check.ts";
import { createLocalBus } from "./quote-bus.ts";
import {
  createQuoteIntake,
  FUTURE_TOLERANCE_MS,
  type OfferKind,
  type QuoteIntake,
} from "./quote-intake.ts";
import { createSessionGaps, gapText } from "./session-gaps.ts";

const BTC = pairId("BTCUSD");
const FRIDAYS: Session = {
  id: "fridays",
  zone: "UTC",
  weekly: [{ fromDay: 5, fromMinute: 540, toDay: 5, toMinute: 1_020 }],
  holidays: new Set(),
  earlyCloses: new Map(),
};
const INSTRUMENTS = madeCatalogue(
  madeInstrument("BTCUSD", { staleAfterMs: 10_000 }),
  madeInstrument("ETHUSD"),
  madeInstrument("EURUSD", { session: FRIDAYS }),
);

/**
 * Makes an intake with the quotes that it has published. `offer` offers quotes that are received when they are made.
 */
function intakeOf(outliers: OutlierFilter | null = null) {
  const { bus, intake } = madeQuoteFlow(INSTRUMENTS, outliers);
  const heard: NumberedQuote[] = [];
  bus.subscribe((quote) => void heard.push(quote));
  const offer = (quote: Quote, origin: OfferKind = "feed") => {
    const { pair, bid, ask, atMs } = quote;
    return intake.offer(
      { source: "test", pair, bid, ask, madeAtMs: atMs, receivedAtMs: atMs },
      origin,
    );
  };
  return { intake, bus, heard, offer, rejected: () => totalOf(intake) };
}

const NONE = { crossed: 0, future: 0, closed: 0, late: 0, older: 0, gap: 0, outlier: 0, halted: 0 };

/** The rejections of all sources and pairs, summed by reason. */
function totalOf(intake: QuoteIntake): Record<string, number> {
  const total: Record<string, number> = { ...NONE };
  for (const { counts } of intake.rejectedQuotes()) {
    for (const [reason, count] of Object.entries(counts))
      total[reason] = (total[reason] ?? 0) + count;
  }
  return total;
}

/** A quote of BTCUSD from a venue with these times. */
function fromVenue(madeAtMs: number | null, receivedAtMs: number, bid = 100): OfferedQuote {
  return {
    source: "venue",
    pair: BTC,
    bid: price(bid),
    ask: price(bid),
    madeAtMs: madeAtMs === null ? null : unixMs(madeAtMs),
    receivedAtMs: unixMs(receivedAtMs),
  };
}

describe("quote intake: what it accepts", () => {
  test("the intake rejects and counts crossed and older quotes", () => {
    const { intake, offer, rejected } = intakeOf();
    expect(offer(madeQuote("BTCUSD", 102, 101, 1000), "hand")).toBe("crossed");
    offer(madeQuote("BTCUSD", 100, 100, 1000));
    expect(offer(madeQuote("BTCUSD", 101, 102, 999))).toBe("older");
    expect(offer(madeQuote("BTCUSD", 101, 102, 1000))).toBe("accepted");
    expect(rejected()).toEqual({ ...NONE, crossed: 1, older: 1 });
    expect(intake.newest(BTC)).toMatchObject({ bid: 101, ask: 102, number: 2 });
  });

  test("a quote that a wrong clock has dated more than 5 s ahead keeps no other out [D11.futureQuote]", () => {
    const { intake } = intakeOf({ moveMax: 0.2, confirmedBy: 3 });
    const at = (receivedAtMs: number, bid: number) =>
      intake.offer(fromVenue(null, receivedAtMs, bid), "feed");
    expect(at(3_600_000, 100)).toBe("accepted");
    expect(at(3_595_000, 101)).toBe("older");
    expect(at(3_594_999, 900)).toBe("outlier");
    expect(at(3_594_999, 102)).toBe("accepted");
    expect(at(3_594_998, 103)).toBe("older");
    expect(intake.newest(BTC)).toMatchObject({ bid: 102, atMs: 3_594_999, number: 2 });
  });

  test("a side that is no price counts as crossed", () => {
    const { intake, heard } = intakeOf();
    for (const bid of [Number.NaN, 0, -1, Number.POSITIVE_INFINITY, 1e-101, 1e101]) {
      const quote = { ...fromVenue(null, 1), bid: bid as OfferedQuote["bid"] };
      expect(intake.offer({ ...quote, ask: quote.bid }, "feed")).toBe("crossed");
    }
    expect(heard).toEqual([]);
  });

  test("the session's last quote stays while the market is closed, until the next session's first [D10.closedMarkets]", () => {
    const { offer: offered, heard, rejected } = intakeOf();
    // 2026-01-02 is a Friday; the market is open from 09:00 to 17:00.
    const offer = (bid: number, at: string, origin: OfferKind) =>
      offered(madeQuote("EURUSD", bid, bid, Date.parse(at)), origin);
    expect(offer(1.3, "2026-01-02T08:59:59.999Z", "hand")).toBe("closed");
    expect(heard).toEqual([]);
    expect(offer(1.1, "2026-01-02T09:00:00Z", "feed")).toBe("accepted");
    expect(offer(1.2, "2026-01-02T16:59:59.999Z", "hand")).toBe("accepted");
    expect(offer(0.5, "2026-01-02T17:00:00Z", "hand")).toBe("closed");
    expect(offer(0.5, "2026-01-03T12:00:00Z", "feed")).toBe("closed");
    expect(offer(1.25, "2026-01-09T09:00:00Z", "feed")).toBe("accepted");
    expect(heard.map(({ bid }) => bid)).toEqual([1.1, 1.2, 1.25]);
    expect(rejected()).toEqual({ ...NONE, closed: 3 });
  });

  test("a quote of the session that comes after the close is the session's last one [D10.closedMarkets]", () => {
    const { offer } = intakeOf();
    const at = (text: string) => offer(madeQuote("EURUSD", 1, 1, Date.parse(text)));
    expect(at("2026-01-03T12:00:00Z")).toBe("closed");
    expect(at("2026-01-02T16:59:59Z")).toBe("accepted");
  });

  test("the intake accepts a distant price of a feed only when others confirm it", () => {
    const { offer } = intakeOf({ moveMax: 0.2, confirmedBy: 3 });
    const at = (bid: number, ms: number) => offer(madeQuote("BTCUSD", bid, bid, ms));
    expect(at(100, 1)).toBe("accepted");
    expect(at(500, 2)).toBe("outlier");
    expect(at(101, 3)).toBe("accepted");
    expect([at(50, 4), at(51, 5), at(49, 6), at(50, 7)]).toEqual([
      "outlier",
      "outlier",
      "accepted",
      "accepted",
    ]);
  });

  test("the intake rejects an implausible first price of a session and all after it, until it is explained [D11.gap]", () => {
    const reports: string[] = [];
    const gaps = createSessionGaps({
      instruments: INSTRUMENTS,
      actionsOf: () => [],
      lastAtMs: () => null,
      onGap: (gap) => void reports.push(gapText(gap)),
    });
    const EUR = pairId("EURUSD");
    let isSplit = false;
    const intake = createQuoteIntake({
      epoch: 1,
      instruments: INSTRUMENTS,
      outliers: { moveMax: 0.2, confirmedBy: 3 },
      bus: createLocalBus(),
      known: new Map([[EUR, madeQuote("EURUSD", 100, 100, Date.parse("2026-01-02T16:59Z"))]]),
      gaps,
      inScale: (quote) => (isSplit ? { ...quote, bid: price(50), ask: price(50) } : quote),
    });
    const offer = (bid: number, at: string) => {
      const ms = unixMs(Date.parse(at));
      const sides = { bid: price(bid), ask: price(bid) };
      const quote = { source: "venue", pair: EUR, ...sides, madeAtMs: ms, receivedAtMs: ms };
      return intake.offer(quote, "feed");
    };
    for (const second of [1, 2, 3, 4])
      expect(offer(49, `2026-01-09T09:00:0${second}Z`)).toBe("gap");
    expect(reports).toEqual([
      "the first price of the session is 49, 51.0 % from 100: announce the corporate action that explains it, or accept it",
    ]);
    isSplit = true;
    expect(offer(49, "2026-01-09T09:00:05Z")).toBe("accepted");
    // Within a session only the outlier check applies.
    expect(offer(20, "2026-01-09T09:00:06Z")).toBe("outlier");
    isSplit = false;
    expect(offer(20, "2026-01-16T09:00:00Z")).toBe("gap");
    gaps.accept(EUR);
    expect(offer(20, "2026-01-16T09:00:01Z")).toBe("accepted");
    expect(offer(20, "2026-01-16T09:00:02Z")).toBe("accepted");
    expect(reports).toHaveLength(2);
  });

  test("no repetition confirms the former scale after a split, and after ten seconds of it alone the pair is reported [D13.formerScale]", () => {
    const atMs = unixMs(Date.parse("2026-01-05T12:00:00Z"));
    const split: CorporateAction = {
      id: actionId("s"),
      pair: BTC,
      atMs,
      announcedAtMs: unixMs(atMs - 11_000),
      kind: "split",
      newShares: 4,
      oldShares: 1,
    };
    const reports: string[] = [];
    const gaps = createSessionGaps({
      instruments: INSTRUMENTS,
      actionsOf: () => [split],
      lastAtMs: () => null,
      onGap: (gap) => void reports.push(gapText(gap)),
    });
    const intake = createQuoteIntake({
      epoch: 1,
      instruments: INSTRUMENTS,
      outliers: { moveMax: 0.2, confirmedBy: 3 },
      bus: createLocalBus(),
      known: new Map([[BTC, madeQuote("BTCUSD", 200, 200, atMs - 500)]]),
      gaps,
      inScale: (quote, now) => quoteInScale(quote, [split], { now, isPending: () => false }),
    });
    const offer = (mid: number, afterMs: number, origin: OfferKind = "feed") =>
      intake.offer(fromVenue(null, atMs + afterMs, mid), origin);
    expect([offer(200, -1), offer(200.1, 0), offer(200.2, 100), offer(200.1, 200)]).toEqual([
      "accepted",
      "gap",
      "gap",
      "gap",
    ]);
    expect([offer(200.1, 300, "composed"), offer(200.1, 9_999)]).toEqual(["gap", "gap"]);
    expect(reports).toEqual([]);
    // One price of the new scale restarts the ten seconds.
    expect([offer(50.1, 9_999), offer(200.1, 10_000), offer(200.1, 19_999)]).toEqual([
      "accepted",
      "gap",
      "gap",
    ]);
    expect(reports).toEqual([]);
    expect([offer(200.1, 20_000), offer(200.1, 30_000)]).toEqual(["gap", "gap"]);
    expect(reports).toEqual([
      "the price 200.1 is still of before the split of 4:1, after which about 50.1 is expected: the halt ends with a price of the new scale; auto accepts the price as it is",
    ]);
    // A real move does not count as the former scale, and after a day no price does.
    expect([offer(70, 30_001), offer(70, 30_002), offer(70, 30_003)]).toEqual([
      "outlier",
      "outlier",
      "accepted",
    ]);
    const day = 86_400_000;
    expect(offer(200, day - 1)).toBe("gap");
    expect([offer(200, day), offer(200, day + 1), offer(200, day + 2)]).toEqual([
      "outlier",
      "outlier",
      "accepted",
    ]);
  });

  test("the intake accepts every quote given by an operator [D6.quotes]", () => {
    const { offer } = intakeOf({ moveMax: 0.2, confirmedBy: 3 });
    offer(madeQuote("BTCUSD", 100, 100, 1));
    expect(offer(madeQuote("BTCUSD", 9_000, 9_000, 2), "hand")).toBe("accepted");
  });

  test("the intake compares a pair's first quote with the one that an earlier process left", () => {
    const intake = createQuoteIntake({
      epoch: 2,
      instruments: INSTRUMENTS,
      outliers: { moveMax: 0.2, confirmedBy: 3 },
      bus: createLocalBus(),
      known: new Map([[BTC, madeQuote("BTCUSD", 100, 100, 1000)]]),
    });
    expect(intake.newest(BTC)).toBeNull();
    expect(intake.offer(fromVenue(999, 999), "feed")).toBe("older");
    expect(intake.offer(fromVenue(1000, 1000, 130), "feed")).toBe("outlier");
    expect(intake.offer(fromVenue(1000, 1000, 110), "feed")).toBe("accepted");
    expect(intake.newest(BTC)).toMatchObject({ epoch: 2, number: 1, previous: 0 });
  });
});

describe("quote intake: times of a venue", () => {
  test("a quote's time is the venue's, and the time of receipt without one or with a later one", () => {
    const { intake, heard } = intakeOf();
    intake.offer(fromVenue(900, 1000), "feed");
    intake.offer(fromVenue(null, 2000), "feed");
    intake.offer(fromVenue(3000 + FUTURE_TOLERANCE_MS, 3000), "feed");
    expect(heard.map(({ atMs }) => atMs)).toEqual([900, 2000, 3000]);
  });

  test("the intake turns away a quote from the future, also one given by hand", () => {
    const { intake } = intakeOf();
    const early = fromVenue(1001 + FUTURE_TOLERANCE_MS, 1000);
    expect(intake.offer(early, "feed")).toBe("future");
    expect(intake.offer(early, "hand")).toBe("future");
  });

  test("the intake turns away a quote that is older than its pair's limit when it comes", () => {
    const { intake } = intakeOf();
    expect(intake.offer(fromVenue(1000, 11_001), "feed")).toBe("late");
    expect(intake.offer(fromVenue(1000, 11_000), "feed")).toBe("accepted");
  });
});

describe("quote intake: numbers", () => {
  test("a quote has one number over all pairs, and the pair's number before it", () => {
    const { heard, offer } = intakeOf();
    offer(madeQuote("BTCUSD", 100, 101, 1));
    offer(madeQuote("ETHUSD", 10, 11, 1));
    offer(madeQuote("ETHUSD", 12, 11, 1));
    offer(madeQuote("ETHUSD", 10, 11, 1));
    offer(madeQuote("BTCUSD", 102, 103, 2));
    const numbers = heard.map(({ pair, number, previous }) => [pair, number, previous]);
    expect(numbers).toEqual([
      ["BTCUSD", 1, 0],
      ["ETHUSD", 2, 0],
      ["ETHUSD", 3, 2],
      ["BTCUSD", 4, 1],
    ]);
    expect(heard[3]).toEqual({
      source: "test",
      pair: BTC,
      bid: 102,
      ask: 103,
      atMs: 2,
      madeAtMs: 2,
      receivedAtMs: 2,
      epoch: 1,
      number: 4,
      previous: 1,
      range: { lowBid: 102, highBid: 102, lowAsk: 103, highAsk: 103 },
    });
  });

  test("the intake counts rejections by source and pair, in memory that no source can grow", () => {
    const { intake } = intakeOf();
    for (let index = 0; index < 1_000; index += 1) {
      const quote = { ...fromVenue(null, 1), pair: pairId(`X${index}`), bid: price(101) };
      intake.offer(quote, "feed");
    }
    intake.offer({ ...fromVenue(null, 1), bid: price(101) }, "feed");
    expect(intake.rejectedQuotes()).toEqual([
      { source: "venue", pair: null, counts: { ...NONE, crossed: 1_000 } },
      { source: "venue", pair: BTC, counts: { ...NONE, crossed: 1 } },
    ]);
  });
});
