/**
 * Compares the range of equities that have no effect with the result of a search that does not use the edges. The
 * search is a bisection with a second implementation of the rules. It ends at two adjacent micro dollars of which only
 * one has an effect.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertySettings, SEED, scaledCount } from "../../../../test/environment/depth.ts";
import { INITIAL_STATISTICS } from "../evolve/counted-days.ts";
import { evolve } from "../evolve/evolve.ts";
import { parseEvent } from "../journal/parse-event.ts";
import { drawdownBelow } from "../pro/statistics.ts";
import type { AccountState, LossRule, Phase } from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import { CLASSIC_TERMS } from "../testing/catalogue.ts";
import { measuresDayEnds, phaseTermsOf, reachesTarget } from "../testing/lives/judgement-model.ts";
import { randomJournals } from "../testing/lives/run-lives.ts";
import { findTooRareCases } from "../testing/lives/too-rare.ts";
import { createTestAccount } from "../testing/test-account.ts";
import { type MicroUsd, microUsd, percent, ratio, unixMs } from "../units.ts";
import {
  type EffectScope,
  type RangeWithoutEffect,
  rangesWithoutEffect,
  verdictAt,
} from "./verdict.ts";

/** An equity that is larger than that of every account, and whose negative is smaller. Sums are still exact there. */
const FAR = 2 ** 50;

type HasEffect = (equity: number) => boolean;

/** The equity with an effect that is nearest to `quietAt`, in the direction of `far`; null when none has an effect. */
function nearestEquityWithEffect(isLoud: HasEffect, quietAt: number, far: number): number | null {
  if (!isLoud(far)) return null;
  let quiet = quietAt;
  let loud = far;
  while (Math.abs(loud - quiet) > 1) {
    const middle = Math.floor((loud + quiet) / 2);
    if (isLoud(middle)) loud = middle;
    else quiet = middle;
  }
  return loud;
}

interface LiveLimit {
  readonly rule: LossRule;
  readonly anchor: bigint;
  /** The greatest loss that is no breach, in whole micro dollars. */
  readonly allowed: bigint;
}

/** The limits that are checked at every price. A limit with an anchor of zero or below is left out. */
function liveLimitsOf(state: AccountState): readonly LiveLimit[] {
  const { dailyLossPct, maxLossPct } = phaseTermsOf(state);
  const rows: readonly (readonly [LossRule, number, number])[] = [
    ["dailyLoss", state.day.startEquity, dailyLossPct],
    ...(measuresDayEnds(state) ? [] : [["staticLoss", state.terms.size, maxLossPct] as const]),
  ];
  return rows
    .filter(([, anchor]) => anchor > 0)
    .map(([rule, anchor, pct]) => {
      const scaledAllowed = BigInt(anchor) * BigInt(Math.round(pct * 100));
      return { rule, anchor: BigInt(anchor), allowed: scaledAllowed / 10_000n };
    });
}

/** The highest level that is used up at this equity; 0 for none. */
function levelAt({ terms }: AccountState, { anchor, allowed }: LiveLimit, equity: number): number {
  const lost = (anchor - BigInt(equity)) * 100n;
  const used = (terms.nearLevels ?? []).filter((level) => lost >= allowed * BigInt(level));
  return Math.max(0, ...used);
}

function recordedLevel(state: AccountState, limit: LiveLimit): number {
  const recorded = state.neared?.[limit.rule];
  if (recorded === undefined) return 0;
  if (recorded.dayStartMs === state.day.startMs) return recorded.level;
  return Math.min(recorded.level, levelAt(state, limit, state.day.startEquity));
}

function effectsOf(state: AccountState): Readonly<Record<EffectScope, HasEffect>> {
  const limits = liveLimitsOf(state);
  const known = state.pro?.statistics ?? null;
  const { highWater } = state.endOfDay;
  const final: HasEffect = (equity) =>
    limits.some(({ anchor, allowed }) => anchor - BigInt(equity) > allowed) ||
    (state.phase === "challenge" && reachesTarget(state, equity));
  const records: HasEffect = (equity) =>
    (known !== null && drawdownBelow(highWater, microUsd(equity)) > known.maxDrawdown) ||
    limits.some((limit) => levelAt(state, limit, equity) > recordedLevel(state, limit));
  if (state.status !== "active") return { all: () => false, final: () => false };
  return { all: (equity) => final(equity) || records(equity), final };
}

/**
 * The equity at which the search begins: the middle between `from` and `to`, or, when one of them is null, the equity
 * within the range that is nearest to the balance.
 */
function startOf(state: AccountState, { from, to }: RangeWithoutEffect): number {
  if (from !== null && to !== null) return Math.floor((from + to) / 2);
  if (from !== null) return Math.max(from + 1, balanceOf(state));
  return to === null ? balanceOf(state) : Math.min(to - 1, balanceOf(state));
}

const SCOPES: readonly EffectScope[] = ["all", "final"];

type Tally = Map<string, number>;

function count(tally: Tally, key: string): void {
  tally.set(key, (tally.get(key) ?? 0) + 1);
}

/** Counts the effects at both ends of the range. */
function countEnds(tally: Tally, state: AccountState, { from, to }: RangeWithoutEffect): void {
  count(tally, `below: ${from === null ? null : verdictAt(state, from)?.kind}`);
  count(tally, `above: ${to === null ? null : verdictAt(state, to)?.kind}`);
}

/**
 * Compares the range without an effect, and the verdicts at its ends, with the result of the search.
 * @throws when they differ in one micro dollar
 */
function check(state: AccountState, tally: Tally): void {
  const effects = effectsOf(state);
  for (const scope of SCOPES) {
    const range = rangesWithoutEffect(state)[scope];
    const isLoud = effects[scope];
    const start = startOf(state, range);
    if (isLoud(start)) {
      // Every equity has an effect, because the losses with an effect reach as far as the gains with one.
      expect(range.from).not.toBeNull();
      expect(range.to).not.toBeNull();
      expect(Number(range.to) - Number(range.from)).toBeLessThan(2);
      count(tally, `${scope}: empty`);
      continue;
    }
    const found = {
      from: nearestEquityWithEffect(isLoud, start, -FAR),
      to: nearestEquityWithEffect(isLoud, start, FAR),
    };
    expect(range).toEqual(found);
    if (scope === "all") countEnds(tally, state, range);
  }
  const { from, to } = rangesWithoutEffect(state).all;
  for (const edge of [from, to, balanceOf(state)]) {
    if (edge !== null) for (const by of [-1, 0, 1]) checkVerdict(state, microUsd(edge + by));
  }
}

function checkVerdict(state: AccountState, equity: MicroUsd): void {
  expect(verdictAt(state, equity) !== null).toBe(effectsOf(state).all(equity));
}

/** The minimum counts, at depth 1, of the effects at the ends of ranges in random lives. */
const LIVES_MIN = {
  "below: deeper": 2_000,
  "below: breach": 3_000,
  "below: neared": 3_000,
  "below: null": 30,
  "above: passed": 10,
  "above: null": 5_000,
};
const DRAWN_MIN = {
  "below: deeper": 2_000,
  "below: breach": 3_000,
  "below: neared": 3_000,
  "below: null": 1_000,
  "above: passed": 2_000,
  "above: null": 5_000,
  "all: empty": 300,
  "final: empty": 300,
};

const amounts = fc.oneof(
  fc.integer({ min: 1_000_000_000, max: 2_000_000_000_000 }),
  fc.integer({ min: 1, max: 500 }).map((thousands) => thousands * 1_000_000_000),
);
const percents = fc.integer({ min: 1, max: 10_000 }).map((hundredths) => percent(hundredths / 100));
const phaseTerms = fc.record({
  profitTargetPct: fc.option(percents),
  dailyLossPct: percents,
  maxLossPct: percents,
});
const levels = fc
  .uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 4 })
  .map((drawn) => drawn.toSorted((one, other) => one - other).map(percent));
const recorded = fc.option(
  fc.record({ level: levels.map((drawn) => drawn[0] ?? percent(50)), isOfToday: fc.boolean() }),
);
const accounts = fc.record({
  phase: fc.constantFrom<Phase>("challenge", "challenge", "funded", "proFunded"),
  criteria: fc.constantFrom("static" as const, "trailing" as const),
  size: amounts,
  startEquity: fc.oneof(amounts, fc.constantFrom(0, -1, 1)),
  highWater: amounts,
  realized: fc.integer({ min: -1_000_000_000, max: 1_000_000_000_000 }),
  phaseTerms,
  levels: fc.option(levels),
  daily: recorded,
  fixed: recorded,
  /** The recorded drawdown in steps of 0.000000001. */
  drawdown: fc.oneof(fc.integer({ min: 0, max: 3_000_000_000 }), fc.constantFrom(0, 10_000_000)),
});
type Drawn = typeof accounts extends fc.Arbitrary<infer One> ? One : never;

const TODAY = unixMs(86_400_000);

function accountOf(drawn: Drawn): AccountState {
  const { phase, criteria, phaseTerms: both, levels: nearLevels } = drawn;
  const level = (one: Drawn["daily"], rule: LossRule) =>
    one === null
      ? {}
      : { [rule]: { level: one.level, dayStartMs: one.isOfToday ? TODAY : unixMs(0) } };
  const terms = {
    ...CLASSIC_TERMS,
    size: microUsd(drawn.size),
    criteria,
    challenge: both,
    funded: both,
  };
  const made = createTestAccount({
    phase,
    terms: nearLevels === null ? terms : { ...terms, nearLevels },
    realized: microUsd(drawn.realized),
    day: { startMs: TODAY, startEquity: microUsd(drawn.startEquity), earlierReturn: ratio(0) },
    endOfDay: { equity: microUsd(drawn.startEquity), highWater: microUsd(drawn.highWater) },
    neared: { ...level(drawn.daily, "dailyLoss"), ...level(drawn.fixed, "staticLoss") },
  });
  if (phase !== "proFunded") return made;
  const statistics = { ...INITIAL_STATISTICS, maxDrawdown: ratio(drawn.drawdown / 1e9) };
  return { ...made, pro: { ...PRO_TRACK, statistics } };
}

const PRO_TRACK = {
  proSize: microUsd(200_000_000_000),
  objectives: {
    returnRatio: ratio(0.06),
    calmar: ratio(1.75),
    consistency: ratio(0.2),
    tradingDays: 8,
    countedDayGain: ratio(0.015),
    leastDrawdown: ratio(0.001),
  },
  payoutScale: ratio(1),
  transition: null,
  breachedDayMs: null,
  deferred: microUsd(0),
};

describe("the equities without an effect, against a search", () => {
  test("the search finds both ends of every state of random lives [D7.breach] [D7.pass] [D7.maxDrawdown] [D9.limitNeared]", () => {
    const tally: Tally = new Map();
    for (const { lines } of randomJournals({ lives: scaledCount(200), seed: SEED })) {
      let state: AccountState | null = null;
      for (const { event } of lines) {
        state = evolve(state, parseEvent(event));
        check(state, tally);
      }
    }
    expect(findTooRareCases(LIVES_MIN, tally)).toEqual([]);
  });

  test("the search finds both ends of drawn states, to the micro dollar [D7.breach] [D7.pass] [D7.maxDrawdown] [D9.limitNeared]", () => {
    const tally: Tally = new Map();
    fc.assert(
      fc.property(accounts, (drawn) => check(accountOf(drawn), tally)),
      propertySettings(20_000),
    );
    expect(findTooRareCases(DRAWN_MIN, tally)).toEqual([]);
  });
});
