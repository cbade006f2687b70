/** The programs of random lives: strict ones that end an account soon, and loose ones that let it progress. */
import fc from "fast-check";
import type { AssetClass, CarryModel, Instruments } from "../../market/instrument.ts";
import type { PhaseTerms, ProTerms, Terms } from "../../state/terms.ts";
import { leverage, percent, ratio, roundUsd } from "../../units.ts";
import { CLASSIC_TERMS, TEST_CATALOGUE } from "../catalogue.ts";

const DAY_MS = 86_400_000;

const CARRY: Readonly<Record<AssetClass, CarryModel>> = {
  crypto: { kind: "everyEightHours", rate: ratio(0.0001) },
  forex: { kind: "daily", rate: ratio(0.03 / 365) },
  commodities: { kind: "none" },
  equities: { kind: "none" },
  indices: { kind: "none" },
};

/** The small catalogue, with carry for all crypto and forex pairs. */
export const LIVES_CATALOGUE: Instruments = new Map(
  [...TEST_CATALOGUE].map(([id, instrument]) => [
    id,
    { ...instrument, carry: CARRY[instrument.assetClass] },
  ]),
);

/** The daily loss limit and the maximum loss limit, in percent. */
const limits = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom([5, 5], [3, 5], [5, 8], [20, 5], [20, 4]) },
  { weight: 5, arbitrary: fc.constantFrom([20, 30], [50, 60]) },
);
const targets = fc.constantFrom(0.5, 2, 8, 10, null);
const splits = fc.constantFrom(1, 0.8, 0.9, 1.25, 0.7);
const standardSizes = fc.constantFrom(5_000, 10_000, 12_345.67, 100_000, 1_000_000);

function phaseTerms(
  [dailyLossPct = 5, maxLossPct = 5]: readonly number[],
  targetPct: number | null,
): PhaseTerms {
  return {
    profitTargetPct: targetPct === null ? null : percent(targetPct),
    dailyLossPct: percent(dailyLossPct),
    maxLossPct: percent(maxLossPct),
  };
}

/** Draws the terms of a standard account. */
export const arbitraryStandardTerms: fc.Arbitrary<Terms> = fc
  .record({
    assetClass: fc.constantFrom<Terms["assetClass"]>("allMarkets", "allMarkets", "crypto", "forex"),
    size: standardSizes,
    criteria: fc.constantFrom<Terms["criteria"]>("static", "trailing"),
    limits,
    target: targets,
    split: splits,
    cooldownMs: fc.constantFrom(0, 0, 5_000),
    mostRestingOrders: fc.constantFrom(100, 100, 12, 4),
    idleDays: fc.constantFrom(60, 60, 60, 15),
    nearLevels: fc.constantFrom<readonly number[] | undefined>(undefined, [50, 75, 90], [10, 99]),
  })
  .map(({ size, limits: within, target, split, idleDays, nearLevels, ...rest }): Terms => {
    const challenge = phaseTerms(within, target);
    return {
      ...CLASSIC_TERMS,
      ...rest,
      size: roundUsd(size),
      challenge,
      funded: phaseTerms(within, null),
      profitSplit: ratio(split),
      inactivityMs: idleDays * DAY_MS,
      ...(nearLevels === undefined ? {} : { nearLevels: nearLevels.map(percent) }),
    };
  });

const objectives: fc.Arbitrary<ProTerms["objectives"]> = fc.record({
  returnRatio: fc.constantFrom(0.000_5, 0.01, 0.06).map(ratio),
  calmar: fc.constantFrom(0.001, 0.05, 0.5, 1.75).map(ratio),
  consistency: fc.constantFrom(0.2, 0.5, 1).map(ratio),
  tradingDays: fc.constantFrom(1, 2, 3, 8),
  countedDayGain: fc.constantFrom(0.015, 0.001).map(ratio),
  leastDrawdown: fc.constant(ratio(0.001)),
});

/** Draws pro terms. Their size is replaced: an offer makes it a multiple of the standard size. */
export const arbitraryProTerms: fc.Arbitrary<ProTerms> = fc
  .record({
    limits,
    split: splits,
    scale: fc.constantFrom(1, 0.2, 0.4, 0.85),
    objectives,
    groups: fc.constantFrom({}, { currency: leverage(30) }),
    // Pro phases ignore the criteria of their terms.
    criteria: fc.constantFrom<Terms["criteria"]>("static", "trailing"),
  })
  .map(({ limits: within, split, scale, objectives: drawn, groups, criteria }): ProTerms => {
    const phase = phaseTerms(within, null);
    return {
      ...CLASSIC_TERMS,
      nearLevels: [50, 75, 90].map(percent),
      programId: "pro",
      variant: "pro",
      criteria,
      tier: "pro",
      challenge: phase,
      funded: phase,
      groupCaps: { ...groups },
      classCaps: { ...CLASSIC_TERMS.classCaps, crypto: leverage(12), forex: leverage(40) },
      portfolioCap: leverage(50),
      profitSplit: ratio(split),
      objectives: { ...drawn },
      challengePayoutScale: ratio(scale),
    };
  });
