import { pairId, percent, roundUsd } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { loadCatalogue } from "./catalogue.ts";
import { type ProTermsRequest, proTermsFor, type TermsRequest, termsFor } from "./program-terms.ts";
import { loadPrograms, parsePrograms } from "./programs.ts";

const { programs } = await loadPrograms(null);

const USUAL: TermsRequest = {
  program: null,
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
  test("the classic program has the defaults static, all markets, tier 1", () => {
    expect(sold()).toMatchObject({
      programId: "classic",
      programVersion: 2,
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
    // Columns: class, target, portfolio caps in tiers 1, 2 and 3.
    ["crypto", 10, [1.5, 2, 10]],
    ["forex", 8, [10, 15, 30]],
    ["indices", 10, [3, 6, 8]],
    ["equities", 10, [1, 2, 4]],
    ["commodities", 10, [1.5, 2, 6]],
    ["allMarkets", 10, [15, 20, 40]],
  ] as const)(
    "%s has the target %d %%, and its own cap is the portfolio's",
    (assetClass, target, caps) => {
      expect(sold({ assetClass }).challenge.profitTargetPct).toBe(target);
      const tiers = ["tier1", "tier2", "tier3"] as const;
      expect(tiers.map((tier) => sold({ assetClass, tier }).portfolioCap)).toEqual(caps);
    },
  );

  test("a trailing limit is 5 % in the challenge and 8 % once funded", () => {
    const { challenge, funded } = sold({ criteria: "trailing" });
    expect([challenge.maxLossPct, funded.maxLossPct]).toEqual([5, 8]);
  });

  test.each([
    [5, { challenge: 5, funded: 5 }],
    [3, { challenge: 3, funded: 3 }],
  ])("a chosen daily limit of %d %% stays through funded [D10.dailyOption]", (chosen, limits) => {
    const { challenge, funded } = sold({ dailyLossPct: chosen });
    expect({ challenge: challenge.dailyLossPct, funded: funded.dailyLossPct }).toEqual(limits);
  });

  test("a firm may give its funded accounts a daily limit of their own", () => {
    const own = programs.map((one) =>
      one.variant === "classic"
        ? { ...one, dailyLossPct: { challenge: one.dailyLossPct.challenge, funded: 4 } }
        : one,
    );
    const terms = termsFor(own, { ...USUAL, dailyLossPct: 3 });
    expect(terms.ok && terms.value.funded.dailyLossPct).toBe(4);
  });

  test.each<[string, Partial<TermsRequest>, string]>([
    ["program", { program: "gold" }, "must be one of classic"],
    ["program", { program: "pro" }, "must be one of classic"],
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

describe("the levels of the loss limits [D9.limitNeared]", () => {
  const levelsOf = (nearLevels: readonly number[] | undefined): unknown => {
    const [classic] = programs;
    if (classic === undefined) throw new Error("a program of the service");
    const levels = nearLevels === undefined ? {} : { nearLevels: [...nearLevels] };
    const terms = termsFor([{ ...classic, ...levels }], USUAL);
    return terms.ok ? terms.value.nearLevels : terms;
  };

  test("a program without levels has the usual ones, and an empty list has none", () => {
    expect(levelsOf(undefined)).toEqual([50, 75, 90]);
    expect(levelsOf([20])).toEqual([20]);
    expect(levelsOf([])).toEqual([]);
  });

  test.each([
    [[0]],
    [[100]],
    [[50, 50]],
    [[75, 50]],
    [[1.5]],
    [Array.from({ length: 11 }, (_, at) => at + 1)],
  ])("%j is rejected", (nearLevels) => {
    const text = JSON.stringify({ version: 1, programs: [{ ...programs[0], nearLevels }] });
    expect(() => parsePrograms(text, "programs.json")).toThrow("nearLevels");
  });
});

describe("the pro program [D7.terms]", () => {
  const OFFER: ProTermsRequest = {
    program: null,
    size: roundUsd(200_000),
    standardSize: roundUsd(100_000),
    dailyLossPct: percent(5),
  };
  const offered = (changes: Partial<ProTermsRequest> = {}) => {
    const terms = proTermsFor(programs, { ...OFFER, ...changes });
    if (!terms.ok) throw new Error(`${terms.refusal.field} ${terms.refusal.text}`);
    return terms.value;
  };

  test("the pro program is for all markets, trailing, with objectives in the place of a target", () => {
    expect(offered()).toEqual({
      programId: "pro",
      programVersion: 2,
      variant: "pro",
      assetClass: "allMarkets",
      size: roundUsd(200_000),
      criteria: "trailing",
      tier: "pro",
      challenge: { profitTargetPct: 6, dailyLossPct: 5, maxLossPct: 8 },
      funded: { profitTargetPct: null, dailyLossPct: 5, maxLossPct: 8 },
      classCaps: { crypto: 12, forex: 40, indices: 10, commodities: 8, equities: 6 },
      nearLevels: [50, 75, 90],
      portfolioCap: 50,
      groupCaps: { currency: 30, sector: 4, index: 10 },
      profitSplit: 1,
      inactivityMs: 5_184_000_000,
      cooldownMs: 0,
      mostRestingOrders: 100,
      objectives: {
        returnRatio: 0.06,
        calmar: 1.75,
        consistency: 0.2,
        tradingDays: 90,
        countedDayGain: 0.015,
        leastDrawdown: 0.001,
      },
      challengePayoutScale: 1,
    });
  });

  test.each([
    // Columns: standard size, pro size, scale.
    [100_000, 200_000, 1],
    [100_000, 400_000, 0.5],
    [50_000, 1_000_000, 0.1],
    [100_000, 1_000_000, 0.2],
  ])("a pro challenge from %d to %d pays %d of the profit [D7.scale]", (standard, size, scale) => {
    const sizes = { standardSize: roundUsd(standard), size: roundUsd(size) };
    expect(offered(sizes).challengePayoutScale).toBe(scale);
  });

  test.each([
    [5, { challenge: 5, funded: 5 }],
    [3, { challenge: 3, funded: 5 }],
  ])(
    "the pro program sold with %d %% a day keeps that until it is funded [D10.dailyOption]",
    (chosen, limits) => {
      const { challenge, funded } = offered({ dailyLossPct: percent(chosen) });
      expect({ challenge: challenge.dailyLossPct, funded: funded.dailyLossPct }).toEqual(limits);
    },
  );

  test("one below twice the standard size is not offered [D10.proOffer]", () => {
    expect(proTermsFor(programs, { ...OFFER, size: roundUsd(199_999) })).toEqual({
      ok: false,
      refusal: {
        field: "size",
        text: "must be at least 200000, twice the standard size, not 199999",
      },
    });
  });

  test.each<[string, Partial<ProTermsRequest>, string]>([
    ["program", { program: "gold" }, "must be one of pro"],
    ["program", { program: "classic" }, "must be one of pro"],
    ["size", { size: roundUsd(9_999) }, "must be whole dollars from 10000 to 1000000, not 9999"],
    [
      "size",
      { size: roundUsd(1_000_001) },
      "must be whole dollars from 10000 to 1000000, not 1000001",
    ],
    [
      "size",
      { size: roundUsd(20_000.5) },
      "must be whole dollars from 10000 to 1000000, not 20000.5",
    ],
  ])("what is not offered is refused by its field: %s", (field, changes, text) => {
    expect(proTermsFor(programs, { ...OFFER, ...changes })).toEqual({
      ok: false,
      refusal: { field, text },
    });
  });

  test.each([10_000, 1_000_000])("a size of %d is offered", (size) => {
    const standardSize = roundUsd(5_000);
    expect(offered({ size: roundUsd(size), standardSize }).size).toBe(size * 1_000_000);
  });

  test("the pro program reports a firm without one", () => {
    const classics = programs.filter(({ variant }) => variant === "classic");
    expect(proTermsFor(classics, OFFER)).toEqual({
      ok: false,
      refusal: { field: "program", text: "is not offered: there is no pro program" },
    });
  });

  test("a kind of group without a cap does not bind", () => {
    const [pro] = programs.filter((one) => one.variant === "pro");
    const terms = pro && proTermsFor([{ ...pro, groupCaps: { sector: 4 } }], OFFER);
    expect(terms?.ok && terms.value.groupCaps).toEqual({ sector: 4 });
  });
});

describe("what a pro account may hold of a pair [D7.groups]", async () => {
  const { instruments } = await loadCatalogue(null);
  const ofClass = (name: string) =>
    [...instruments.values()].filter(({ assetClass }) => assetClass === name);
  const capsOf = (name: string) => [
    ...new Set(ofClass(name).map(({ leverageCaps }) => leverageCaps.pro)),
  ];

  test("a pro account may hold 10 of BTC and ETH, 2 to 5 of other coins, 10 to 30 of forex, 2.5 of an equity", () => {
    expect(capsOf("crypto")).toEqual([10, 5, 2]);
    for (const id of ["BTCUSD", "ETHUSD"]) {
      expect(instruments.get(pairId(id))?.leverageCaps.pro).toBe(10);
    }
    expect(ofClass("crypto").filter(({ leverageCaps }) => leverageCaps.pro === 10)).toHaveLength(2);
    expect(capsOf("forex")).toEqual([30, 20, 10]);
    expect(capsOf("equities")).toEqual([2.5]);
  });

  test("the crosses of NZD have caps of their own, NZDUSD those of other pairs [D10.nzdCaps]", () => {
    const capsOfPair = (id: string) => instruments.get(pairId(id))?.leverageCaps;
    for (const id of ["EURNZD", "GBPNZD", "NZDJPY", "AUDNZD", "NZDCAD", "NZDCHF"]) {
      expect(capsOfPair(id), id).toEqual({ tier1: 5, tier2: 7.5, tier3: 10, pro: 10 });
    }
    expect(capsOfPair("NZDUSD")).toEqual({ tier1: 10, tier2: 15, tier3: 20, pro: 20 });
  });

  test("every forex pair counts for both its currencies, every equity for one group", () => {
    for (const { base, quote, exposureGroups } of ofClass("forex")) {
      expect(exposureGroups).toEqual([`currency:${base}`, `currency:${quote}`]);
    }
    for (const { exposureGroups } of ofClass("equities")) {
      expect(exposureGroups).toEqual([
        expect.stringMatching(/^(sector:[A-Z][A-Za-z ]+|index:us)$/),
      ]);
    }
  });
});
