import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bundledDataPath } from "./data-file.ts";
import { newestVersionOf, parsePrograms } from "./programs.ts";

const text = readFileSync(bundledDataPath("programs.json"), "utf8");

describe("versions of a program [D7.terms]", () => {
  const [classic, pro] = JSON.parse(text).programs;

  test("the newest is sold, at any place in the file", () => {
    const newer = { ...classic, version: classic.version + 1, mostRestingOrders: 50 };
    const two = parsePrograms(
      JSON.stringify({ version: 1, programs: [newer, classic] }),
      "firm.json",
    );
    expect(newestVersionOf(two, "classic")).toEqual(newer);
    expect(newestVersionOf(two, "gold")).toBe(null);
  });

  test.each([
    [{ programs: [classic, classic] }, "firm.json: programs[1] appears twice: classic version 2"],
    [
      { programs: [{ ...classic, profitSplit: -1 }] },
      "firm.json: programs[0].profitSplit must be a share above 0 and at most 2, such as 0.8 for 80 %, not -1",
    ],
    [
      { programs: [{ ...classic, profitSplit: 80 }] },
      "firm.json: programs[0].profitSplit must be a share above 0 and at most 2, such as 0.8 for 80 %, not 80",
    ],
    [
      { programs: [{ ...classic, profitSplit: undefined }] },
      "firm.json: programs[0].profitSplit is missing: it must be a share above 0 and at most 2, such as 0.8 for 80 %",
    ],
    [
      { programs: [{ ...pro, profitSplit: 2.01 }] },
      "firm.json: programs[0].profitSplit must be a share above 0 and at most 2, such as 0.8 for 80 %, not 2.01",
    ],
    [
      { programs: [{ ...pro, objectives: { ...pro.objectives, return: 6 } }] },
      "firm.json: programs[0].objectives.return must be a share above 0 and at most 2, such as 0.8 for 80 %, not 6",
    ],
    [
      { programs: [{ ...pro, scaleFromStandard: 2.1 }] },
      "firm.json: programs[0].scaleFromStandard must be a number above 0 and at most 2: the pro size is at least twice the standard size, so a payout is never scaled up, not 2.1",
    ],
    [
      { programs: [{ ...classic, size: { least: 1000, most: 10_000_001 } }] },
      "firm.json: programs[0].size.most must be at most 10000000, not 10000001",
    ],
    [
      { programs: [{ ...classic, size: { least: 2000, most: 1000 } }] },
      "firm.json: programs[0].size must have a least that is at most its most",
    ],
    [
      { programs: [{ ...classic, inactivityDays: 100_001 }] },
      "firm.json: programs[0].inactivityDays must be at most 100000, not 100001",
    ],
    [
      { programs: [{ ...classic, dailyLossPct: { challenge: [], funded: 5 } }] },
      "firm.json: programs[0].dailyLossPct.challenge[0] is missing: it must be a percent above 0, to 100",
    ],
    [
      { programs: [{ ...classic, dailyLossPct: { challenge: [5.001], funded: 5 } }] },
      "firm.json: programs[0].dailyLossPct.challenge[0] must have at most two decimals, not 5.001",
    ],
    [
      { programs: [{ ...classic, dailyLossPct: { challenge: [5], funded: "own" } }] },
      'firm.json: programs[0].dailyLossPct.funded must be a percent above 0, to 100, with at most two decimals, or "chosen", not "own"',
    ],
    [
      { programs: [{ ...classic, id: "gold plus" }] },
      'firm.json: programs[0].id must be a name of letters, digits, - and _, not "gold plus"',
    ],
    [
      { programs: [{ ...classic, variant: "instant" }] },
      'firm.json: programs[0].variant must be "classic" or "pro", not "instant"',
    ],
    [
      { programs: [{ ...classic, variant: undefined }] },
      'firm.json: programs[0].variant is missing: it must be "classic" or "pro"',
    ],
    [{ programs: ["classic"] }, 'firm.json: programs[0] must be a program, not "classic"'],
    [
      { programs: [{ ...classic, objectives: pro.objectives }] },
      'firm.json: programs[0] has "objectives", which is not a field here',
    ],
    [
      { programs: [classic, { ...pro, objectives: { ...pro.objectives, calmar: 0 } }] },
      "firm.json: programs[1].objectives.calmar must be a number above 0, not 0",
    ],
    [
      { programs: [{ ...pro, objectives: { ...pro.objectives, consistency: 20 } }] },
      "firm.json: programs[0].objectives.consistency must be a share from 0 to below 1, not 20",
    ],
    [
      { programs: [{ ...pro, groupCaps: { curency: 30 } }] },
      'firm.json: programs[0].groupCaps has "curency", which is not a field here',
    ],
    [
      { programs: [{ ...pro, scaleFromStandard: undefined }] },
      "firm.json: programs[0].scaleFromStandard is missing: it must be a number above 0",
    ],
    [
      { programs: [{ ...pro, maxLossPct: { challenge: 8 } }] },
      "firm.json: programs[0].maxLossPct.funded is missing: it must be a percent above 0, to 100",
    ],
    [
      { programs: [pro, { ...classic, id: "pro", version: 3 }] },
      'firm.json: programs[1].variant must be "pro", as in every version of pro',
    ],
  ])("a file that cannot be used names the value: %#", (changes, sentence) => {
    const document = JSON.stringify({ version: 1, ...changes });
    expect(() => parsePrograms(document, "firm.json")).toThrow(sentence);
  });
});
