/** Converts the model's terms to those of the trading network, and compares a real account with its model. */
import {
  type AccountState,
  leverage,
  microUsd,
  type PairId,
  type ProTerms,
  percent,
  ratio,
  type Terms,
  unixMs,
} from "@propgate/core";
import { expect } from "vitest";
import { TEST_TERMS } from "./counting-decider.ts";
import type { WeeksAccount } from "./weeks-model.ts";
import type { ModelProTerms, ModelTerms } from "./weeks-terms.ts";

const LOOSE = leverage(100);
const LOOSE_CAPS = {
  classCaps: { crypto: LOOSE, forex: LOOSE, indices: LOOSE, commodities: LOOSE, equities: LOOSE },
  portfolioCap: LOOSE,
};

export function networkTermsOf(terms: ModelTerms): Terms {
  const dailyLossPct = percent(terms.dailyPct);
  return {
    ...TEST_TERMS,
    ...LOOSE_CAPS,
    size: microUsd(terms.size),
    criteria: terms.isStatic ? "static" : "trailing",
    challenge: {
      profitTargetPct: percent(terms.targetPct),
      dailyLossPct,
      maxLossPct: percent(terms.challengeMaxPct),
    },
    funded: { profitTargetPct: null, dailyLossPct, maxLossPct: percent(terms.fundedMaxPct) },
    profitSplit: ratio(terms.split),
    inactivityMs: terms.idleMs,
  };
}

export function networkProTermsOf(pro: ModelProTerms, { idleMs }: ModelTerms): ProTerms {
  const { returned, calmar, consistency, days, countedGain, leastDrawdown } = pro.objectives;
  const maxLossPct = percent(pro.maxPct);
  return {
    ...TEST_TERMS,
    ...LOOSE_CAPS,
    programId: "pro",
    variant: "pro",
    tier: "pro",
    size: microUsd(pro.size),
    challenge: { profitTargetPct: null, dailyLossPct: percent(pro.dailyPct), maxLossPct },
    funded: { profitTargetPct: null, dailyLossPct: percent(pro.fundedDailyPct), maxLossPct },
    profitSplit: ratio(pro.split),
    inactivityMs: idleMs,
    objectives: {
      returnRatio: ratio(returned),
      calmar: ratio(calmar),
      consistency: ratio(consistency),
      tradingDays: days,
      countedDayGain: ratio(countedGain),
      leastDrawdown: ratio(leastDrawdown),
    },
    challengePayoutScale: ratio(pro.scale),
  };
}

/** The cost of a position, which is the same before and after a split. */
function costOf(lots: number, entry: number): string {
  return (lots * entry).toPrecision(9);
}

function shownOf({ status, phase, elimination, positions, orders, day, ...state }: AccountState) {
  const cause = elimination?.cause ?? null;
  return {
    status,
    phase,
    ended: cause?.kind === "lossLimit" ? cause.rule : (cause?.kind ?? null),
    size: state.terms.size,
    positions: positions.map(({ pair, direction, quantity, averageEntryPrice }) => [
      pair,
      direction,
      costOf(quantity / 100_000, averageEntryPrice),
    ]),
    entries: orders.filter(({ kind }) => kind !== "bracket").length,
    stops: orders.filter(({ kind }) => kind === "bracket").length,
    dayStartMs: day.startMs,
    earns: state.earning !== null,
  };
}

function modelOf(model: WeeksAccount): ReturnType<typeof shownOf> {
  return {
    status: model.status,
    phase: model.phase,
    ended: model.ended,
    size: microUsd(model.size),
    positions: model.positions.map(({ pair, sign, lots, entry }) => [
      pair as PairId,
      sign === 1 ? "long" : "short",
      costOf(lots, entry),
    ]),
    entries: model.entries,
    stops: model.positions.filter(({ stop }) => stop !== null).length,
    dayStartMs: unixMs(model.dayStartMs),
    earns: model.earning !== null,
  };
}

/** The named amounts of an account in whole 0.000001 USD. Each payout is an amount of its own. */
type Money = readonly (readonly [name: string, amount: number])[];

function moneyOf({ realized, fees, day, endOfDay, earning, unpaid, pro }: AccountState): Money {
  return [
    ["cash", realized - fees],
    ["start of the day", day.startEquity],
    ["high-water mark", endOfDay.highWater],
    ["mark", earning?.mark ?? 0],
    ["withheld", pro?.deferred ?? 0],
    ...unpaid.map(({ amount }) => ["payout", amount] as const),
  ];
}

function moneyOfModel(model: WeeksAccount): Money {
  return [
    ["cash", model.cash],
    ["start of the day", model.dayStart],
    ["high-water mark", model.highWater],
    ["mark", model.earning?.mark ?? 0],
    ["withheld", model.deferred],
    ...model.payouts.map(({ amount }) => ["payout", amount] as const),
  ];
}

/**
 * The maximum difference of an amount, in 0.000001 USD. The model computes with floating-point numbers, so each charge
 * may be rounded differently.
 */
const ROUNDING_MAX = 50;

function expectNear(shown: Money, wanted: Money): void {
  const isNear = wanted.every(
    ([name, amount], place) =>
      shown[place]?.[0] === name && Math.abs((shown[place]?.[1] ?? 0) - amount) <= ROUNDING_MAX,
  );
  if (!isNear || shown.length !== wanted.length) expect(shown).toEqual(wanted);
}

/** Expects the account to be as its model is. @throws when they differ */
export function expectSame(state: AccountState, model: WeeksAccount): void {
  expect(shownOf(state)).toEqual(modelOf(model));
  expectNear(moneyOf(state), moneyOfModel(model));
}
