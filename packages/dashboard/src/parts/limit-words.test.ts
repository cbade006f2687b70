import {
  ACCOUNT_ELIMINATED,
  ACCOUNT_PRO,
  ACCOUNT_STATIC,
  type Account,
  type DrawdownRules,
  type Linked,
  type LossLimitItem,
  POSITIONS,
} from "@propgate/contract";
import { describe, expect, test } from "vitest";
import {
  bindingLimit,
  bindingText,
  breachField,
  breachText,
  checkText,
  type LimitReading,
  limitReadings,
  limitStateText,
  midnightText,
  mondayText,
  remainingLossText,
  usedText,
} from "./limit-words.ts";

function rulesOf({ drawdownRules }: Account<Linked>): DrawdownRules<Linked> {
  if (drawdownRules === null) throw new Error("the examples have limits");
  return drawdownRules;
}

function readingsOf(account: Account<Linked>): { daily: LimitReading; max: LimitReading } {
  const [daily, max] = limitReadings(rulesOf(account));
  if (daily === undefined || max === undefined) throw new Error("there are two limits");
  return { daily, max };
}

const MARKETS = [
  {
    pair: "BTCUSD",
    quote: { bid: 91_000, ask: 91_010, atMs: 1_767_780_000_000 },
    isStale: false,
    isOpen: true,
  },
];

describe("a limit in words", () => {
  const { daily, max } = readingsOf(ACCOUNT_STATIC);
  const { max: trailing } = readingsOf(ACCOUNT_PRO);

  test("the words of a limit name the anchor of the measurement", () => {
    expect(daily.measuredFrom).toBe("from the equity at 00:00 UTC");
    expect(max.measuredFrom).toBe("from the starting balance, which is fixed");
    expect(trailing.measuredFrom).toBe(
      "from the high-water mark, the highest equity of any 00:00 UTC",
    );
  });

  test("the words of a limit contain the equity of the floor", () => {
    expect(daily.floor).toBe(95_457.615);
    expect(max.floor).toBe(95_000);
  });

  test("the words of a limit name the limit and its place in the API", () => {
    const named = [daily, max, trailing].map(({ name, field }) => [name, field]);
    expect(named).toEqual([
      ["Daily loss", "drawdownRules.limits[0]"],
      ["Maximum loss", "drawdownRules.limits[1]"],
      ["Trailing loss", "drawdownRules.limits[1]"],
    ]);
  });

  test("every limit of the list has words, also one that this page does not know", () => {
    const rules = rulesOf(ACCOUNT_STATIC);
    const hourly: LossLimitItem<Linked> = JSON.parse(
      JSON.stringify({ ...rules.limits[0], rule: "hourly_loss", usedPctNow: 3 }),
    );
    const readings = limitReadings({ ...rules, limits: [...rules.limits, hourly] });
    expect(readings[2]).toMatchObject({ name: "Hourly loss", measuredFrom: "from", share: 60 });
    expect(readings[2]?.field).toBe("drawdownRules.limits[2]");
  });

  test("the words of a limit say how much of it is used and left now", () => {
    expect(usedText(1.2, daily)).toBe("1.20 of 5 %");
    expect(remainingLossText(daily)).toBe("left");
    expect(remainingLossText(trailing)).toBe("left if the day ended now");
    expect(remainingLossText(readingsOf(ACCOUNT_ELIMINATED).daily)).toBe("below the floor");
    expect(remainingLossText({ ...trailing, remainingNow: -300 })).toBe(
      "below the floor if the day ended now",
    );
  });

  test("the share of a limit that is judged at the day's end is that of now", () => {
    const rules = rulesOf(ACCOUNT_PRO);
    const limits = rules.limits.map((limit) => ({ ...limit, usedPct: 0, usedPctNow: 6 }));
    const [, reading] = limitReadings({ ...rules, limits });
    expect(reading?.share).toBe(75);
  });

  test("the limit that binds has the least left now, and is unknown while one of them is", () => {
    expect(bindingLimit([daily, max])?.rule).toBe("dailyLoss");
    expect(bindingLimit([daily, { ...max, remainingNow: 12 }])?.rule).toBe("static");
    expect(bindingLimit([daily, { ...max, remainingNow: null }])).toBeNull();
    expect(bindingLimit([])).toBeNull();
    expect(bindingText(daily)).toBe("by the daily loss limit");
    expect(bindingText(trailing)).toBe("by the trailing loss limit, if the day ended now");
    expect(bindingText({ ...trailing, remainingNow: -1 })).toBe(
      "below the floor of the trailing loss limit, if the day ended now",
    );
  });

  test.each([
    [0, "within the limit"],
    [2.49, "within the limit"],
    [2.5, "half used"],
    [3.75, "three quarters used"],
    [4.5, "nearly used up"],
    [5, "nearly used up"],
    [5.000001, "passed"],
  ])("a limit with %d of 5 %% used is %s", (usedPctNow, words) => {
    const rules = rulesOf(ACCOUNT_STATIC);
    const remainingNow = 5 - usedPctNow;
    const limits = rules.limits.map((limit) => ({ ...limit, usedPctNow, remainingNow }));
    const [reading] = limitReadings({ ...rules, limits });
    if (reading === undefined) throw new Error("there are two limits");
    expect(limitStateText(reading)).toBe(words);
  });

  test("a limit below the floor of the day's end is not yet passed", () => {
    expect(limitStateText({ ...trailing, remainingNow: -1 })).toBe("below the floor");
  });

  test.each([
    [{ usedPctNow: null, remainingNow: null }, "-- of 5 %"],
    [{ limitPct: null, remainingNow: null }, "0.00 of -- %"],
  ] as const)("a limit with %j is unknown, not unused", (unknown, used) => {
    const rules = rulesOf(ACCOUNT_STATIC);
    const limits = rules.limits.map((limit) => ({ ...limit, ...unknown }));
    const [reading] = limitReadings({ ...rules, limits });
    if (reading === undefined) throw new Error("there are two limits");
    expect(reading.share).toBeNull();
    expect([limitStateText(reading), usedText(reading.usedPctNow, reading)]).toEqual([
      "unknown",
      used,
    ]);
  });

  test("the words of a limit say when it is checked", () => {
    const midnightMs = 1_767_830_400_000;
    expect(checkText(daily, 0)).toBe("Checked on every price");
    expect(checkText(trailing, midnightMs - 61_000)).toBe("Checked at 00:00 UTC, in 00:01:01");
    expect(checkText(trailing, midnightMs)).toBe(
      "Checked as soon as the end of the day is processed",
    );
    expect(checkText({ ...trailing, nextCheckMs: null }, 0)).toBe("No longer checked");
  });
});

describe("the price that would breach", () => {
  const { daily } = readingsOf(ACCOUNT_STATIC);
  const { max: trailing } = readingsOf(ACCOUNT_PRO);
  const [long] = POSITIONS;
  const tickOf = () => 0.01;
  const OWN = { network: "embedded" } as const;
  if (long === undefined) throw new Error("the examples have a position");

  test("the breach price of a long position is below the market, at the bid", () => {
    expect(breachText(daily, { ...OWN, positions: POSITIONS, markets: MARKETS }, tickOf)).toBe(
      "Breach price: BTCUSD 79,978.83 (bid), 12.11% away.",
    );
  });

  test("the breach price of a short position is above the market, at the ask", () => {
    const short = { ...long, positionType: "SHORT" as const };
    expect(
      breachText(
        { ...daily, breachPrice: 100_000 },
        { ...OWN, positions: [short], markets: MARKETS },
        tickOf,
      ),
    ).toBe("Breach price: BTCUSD 100,000.00 (ask), 9.88% away.");
  });

  test("the breach price of a trailing limit counts only at midnight", () => {
    expect(
      breachText(
        { ...trailing, breachPrice: 80_000 },
        { ...OWN, positions: POSITIONS, markets: [] },
        tickOf,
      ),
    ).toBe("Breach price: BTCUSD 80,000.00 (bid). Only the price at 00:00 UTC counts.");
  });

  test.each([
    [[], "Breach price: none, because no position is open."],
    [[long], "Breach price: no price of BTCUSD breaches this limit."],
  ])("a missing breach price has a text", (positions, words) => {
    expect(
      breachText({ ...daily, breachPrice: null }, { ...OWN, positions, markets: MARKETS }, tickOf),
    ).toBe(words);
  });

  test.each([
    [daily, 1.9, "Breach move: 1.90% against all 2 positions."],
    [daily, null, "Breach move: no move of the 2 prices breaches this limit."],
    [trailing, null, "Breach move: none, because only 00:00 UTC counts."],
  ])("several positions have a move instead of a price", (limit, breachMovePct, words) => {
    const positions = [long, long];
    const state = { ...OWN, positions, markets: MARKETS };
    expect(breachField(positions)).toBe("breachMovePct");
    expect(breachText({ ...limit, breachMovePct }, state, tickOf)).toBe(words);
    expect(breachField([long])).toBe("breachPrice");
  });
});

test("the breach price of an account on a validator is unknown, not absent", () => {
  const [limit] = limitReadings(rulesOf(ACCOUNT_STATIC));
  if (limit === undefined) throw new Error("there are two limits");
  const state = { network: "vanta", positions: POSITIONS, markets: [] } as const;
  expect(breachText({ ...limit, breachPrice: null }, state, () => null)).toBe(
    "Breach price: unknown, because the validator sends no prices.",
  );
});

describe("the effects of time", () => {
  test("the effects of midnight are described", () => {
    expect(midnightText(ACCOUNT_STATIC)).not.toContain("limit is checked");
    expect(midnightText(ACCOUNT_PRO)).toContain("The trailing loss limit is checked.");
  });

  test("the effects of Monday are described", () => {
    expect(mondayText(ACCOUNT_STATIC)).toContain("once it is funded");
    const funded: Account<Linked> = {
      ...ACCOUNT_STATIC,
      challenge: { ...ACCOUNT_STATIC.challenge, bucket: "SUBACCOUNT_FUNDED" },
    };
    expect(mondayText(funded)).toContain("The payout cycle closes");
    expect(mondayText(ACCOUNT_ELIMINATED)).toContain("has ended");
  });
});
