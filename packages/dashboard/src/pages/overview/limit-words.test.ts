import {
  ACCOUNT_ELIMINATED,
  ACCOUNT_PRO,
  ACCOUNT_STATIC,
  type Account,
  type DrawdownRules,
  POSITIONS,
} from "@propgate/contract";
import { describe, expect, test } from "vitest";
import {
  breachText,
  checkText,
  floorOf,
  type LimitReading,
  leftText,
  limitReadings,
  midnightText,
  mondayText,
  strainText,
  usedText,
} from "./limit-words.ts";

function rulesOf({ drawdownRules }: Account): DrawdownRules {
  if (drawdownRules === null) throw new Error("the examples have limits");
  return drawdownRules;
}

function readingsOf(account: Account): { daily: LimitReading; max: LimitReading } {
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

  test("what it is measured against", () => {
    expect(daily.anchor.words).toBe("from the equity at the start of the day, 00:00 UTC");
    expect(max.anchor.words).toBe("from the starting balance, which never moves");
    expect(trailing.anchor.words).toBe(
      "from the high-water mark, the highest equity of any 00:00 UTC",
    );
  });

  test("the equity at which it is met", () => {
    expect(daily.floor).toBe(95_457.615);
    expect(max.floor).toBe(95_000);
    expect(floorOf(104_000, 5)).toBe(98_800);
  });

  test("how much of it is used, and left", () => {
    expect(usedText({ ...daily, usedPct: 1.2 })).toBe("1.20 of 5 %");
    expect(leftText({ ...daily, remaining: 3_911.2, remainingPct: 3.8 })).toBe(
      "3,911.20 USD, 3.80% left",
    );
    expect(readingsOf(ACCOUNT_ELIMINATED).daily.remainingPct).toBe(0);
  });

  test.each([
    [0, "within the limit"],
    [2.49, "within the limit"],
    [2.5, "half used"],
    [3.75, "three quarters used"],
    [4.5, "nearly used up"],
    [5, "nearly used up"],
    [5.000001, "passed"],
  ])("%d of 5 %% used is %s", (usedPct, words) => {
    expect(strainText({ ...daily, usedPct, share: usedPct * 20 })).toBe(words);
  });

  test("when it is checked", () => {
    const midnightMs = 1_767_830_400_000;
    expect(checkText(daily, 0)).toBe("checked at every price");
    expect(checkText(trailing, midnightMs - 61_000)).toBe("checked at 00:00 UTC, in 00:01:01");
    expect(checkText(trailing, midnightMs)).toBe(
      "checked as soon as the day's end has been made up",
    );
    expect(checkText({ ...trailing, nextCheckMs: null }, 0)).toBe("checked no more");
  });
});

describe("the price that would breach", () => {
  const { daily } = readingsOf(ACCOUNT_STATIC);
  const { max: trailing } = readingsOf(ACCOUNT_PRO);
  const [long] = POSITIONS;
  if (long === undefined) throw new Error("the examples have a position");

  test("of a long lies below, by the bid", () => {
    expect(breachText(daily, POSITIONS, MARKETS)).toBe(
      "BTCUSD meets it at 79,978.83, 12.11% from here; below it, by the bid, the account ends.",
    );
  });

  test("of a short lies above, by the ask", () => {
    const short = { ...long, positionType: "SHORT" as const };
    expect(breachText({ ...daily, breachPrice: 100_000 }, [short], MARKETS)).toBe(
      "BTCUSD meets it at 100,000, 9.88% from here; above it, by the ask, the account ends.",
    );
  });

  test("of a trailing limit counts at midnight only", () => {
    expect(breachText({ ...trailing, breachPrice: 80_000 }, POSITIONS, [])).toBe(
      "BTCUSD meets it at 80,000; below it, by the bid, the account ends if it stands there at 00:00 UTC.",
    );
  });

  test.each([
    [[], "Nothing is open that a price could take there."],
    [[long, long], "2 positions are open, so no one price leads there."],
    [[long], "No price of BTCUSD leads there."],
  ])("is told where there is none", (positions, words) => {
    expect(breachText({ ...daily, breachPrice: null }, positions, MARKETS)).toBe(words);
  });
});

describe("what time brings", () => {
  test("at midnight", () => {
    expect(midnightText(ACCOUNT_STATIC)).not.toContain("maximum loss");
    expect(midnightText(ACCOUNT_PRO)).toContain("The maximum loss limit is checked.");
  });

  test("on Monday", () => {
    expect(mondayText(ACCOUNT_STATIC)).toContain("once it is funded");
    const funded: Account = {
      ...ACCOUNT_STATIC,
      challenge: { ...ACCOUNT_STATIC.challenge, bucket: "SUBACCOUNT_FUNDED" },
    };
    expect(mondayText(funded)).toContain("The payout cycle closes");
    expect(mondayText(ACCOUNT_ELIMINATED)).toContain("has ended");
  });
});
