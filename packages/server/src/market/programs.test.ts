import { readFileSync } from "node:fs";
import { roundUsd } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { ownDataFile } from "./data-file.ts";
import { parsePrograms, type TermsRequest, termsFor } from "./programs.ts";

const text = readFileSync(ownDataFile("programs.json"), "utf8");
const programs = parsePrograms(text, "programs.json");

const USUAL: TermsRequest = {
  program: "classic",
  size: roundUsd(100_000),
  assetClass: "allMarkets",
  criteria: "static",
  dailyLossPct: null,
  tier: "tier1",
};

function sold(changes: Partial<TermsRequest> = {}) {
  const terms = termsFor(programs, { ...USUAL, ...changes });
  if (!terms.ok) throw new Error(`${terms.refusal.field} ${terms.refusal.text}`);
  return terms.value;
}

describe("the classic program [D7.terms]", () => {
  test("as it is usually sold: static, all markets, tier 1", () => {
    expect(sold()).toMatchObject({
      programId: "classic",
      programVersion: 1,
      size: roundUsd(100_000),
      challenge: { profitTargetPct: 10, dailyLossPct: 5, maxLossPct: 5 },
      funded: { profitTargetPct: null, dailyLossPct: 5, maxLossPct: 5 },
      classCaps: { crypto: 1.5, forex: 10, indices: 3, commodities: 1.5, equities: 1 },
      portfolioCap: 15,
      groupCaps: {},
      profitSplit: 1,
      inactivityMs: 5_184_000_000,
      cooldownMs: 0,
      mostRestingOrders: 100,
    });
  });

  test.each([
    // class, target, portfolio cap in tiers 1, 2, 3
    ["crypto", 10, [1.5, 2, 10]],
    ["forex", 8, [10, 15, 30]],
    ["indices", 10, [3, 6, 8]],
    ["equities", 10, [1, 2, 4]],
    ["commodities", 10, [1.5, 2, 6]],
    ["allMarkets", 10, [15, 20, 40]],
  ] as const)("%s: target %d %%, its own cap is the portfolio's", (assetClass, target, caps) => {
    expect(sold({ assetClass }).challenge.profitTargetPct).toBe(target);
    const tiers = ["tier1", "tier2", "tier3"] as const;
    expect(tiers.map((tier) => sold({ assetClass, tier }).portfolioCap)).toEqual(caps);
  });

  test("trailing: 5 % in the challenge, 8 % once funded", () => {
    const { challenge, funded } = sold({ criteria: "trailing" });
    expect([challenge.maxLossPct, funded.maxLossPct]).toEqual([5, 8]);
  });

  test("the 3 % daily option binds the challenge", () => {
    const { challenge, funded } = sold({ dailyLossPct: 3 });
    expect([challenge.dailyLossPct, funded.dailyLossPct]).toEqual([3, 5]);
  });

  test.each<[string, Partial<TermsRequest>, string]>([
    ["program", { program: "gold" }, "must be one of classic"],
    ["size", { size: roundUsd(999) }, "must be whole dollars from 1000 to 1000000, not 999"],
    [
      "size",
      { size: roundUsd(1_000_001) },
      "must be whole dollars from 1000 to 1000000, not 1000001",
    ],
    ["size", { size: roundUsd(5_000.5) }, "must be whole dollars from 1000 to 1000000, not 5000.5"],
    ["dailyLossPct", { dailyLossPct: 4 }, "must be 5 or 3"],
    ["tier", { tier: "pro" }, "must be one of tier1, tier2, tier3"],
  ])("what is not offered is refused by its field: %s", (field, changes, sentence) => {
    expect(termsFor(programs, { ...USUAL, ...changes })).toEqual({
      ok: false,
      refusal: { field, text: sentence },
    });
  });

  test.each([1_000, 12_345, 1_000_000])("a size of %d is sold", (size) => {
    expect(sold({ size: roundUsd(size) }).size).toBe(size * 1_000_000);
  });
});

describe("versions of a program [D7.terms]", () => {
  const [classic] = JSON.parse(text).programs;

  test("the newest is sold, whatever its place in the file", () => {
    const newer = { ...classic, version: 2, mostRestingOrders: 50 };
    const two = parsePrograms(
      JSON.stringify({ version: 1, programs: [newer, classic] }),
      "firm.json",
    );
    const terms = termsFor(two, USUAL);
    expect(terms.ok && terms.value).toMatchObject({ programVersion: 2, mostRestingOrders: 50 });
  });

  test.each([
    [{ programs: [classic, classic] }, "firm.json: programs[1] is there twice: classic version 1"],
    [
      { programs: [{ ...classic, profitSplit: -1 }] },
      "firm.json: programs[0].profitSplit must be a number above 0, not -1",
    ],
    [
      { programs: [{ ...classic, size: { least: 1000, most: 10_000_001 } }] },
      "firm.json: programs[0].size.most must be at most 10000000, not 10000001",
    ],
    [
      { programs: [{ ...classic, size: { least: 2000, most: 1000 } }] },
      "firm.json: programs[0].size must have a least up to its most",
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
  ])("a file that cannot be used names the value: %#", (changes, sentence) => {
    const document = JSON.stringify({ version: 1, ...changes });
    expect(() => parsePrograms(document, "firm.json")).toThrow(sentence);
  });
});
