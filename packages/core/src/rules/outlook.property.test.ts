/**
 * Checks that a limit is reached but not breached at the breach price of the outlook, and breached one tick beyond it.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertySettings, scaledCount } from "../../../../test/environment/depth.ts";
import { equityOf } from "../account/equity.ts";
import { figuresAfterMidnight } from "../evolve/daily-returns.ts";
import type { AccountState, LossRule } from "../state/account.ts";
import type { DrawdownCriteria } from "../state/terms.ts";
import { CLASSIC_TERMS } from "../testing/catalogue.ts";
import {
  createTestAccount,
  createTestMarket,
  createTestPosition,
} from "../testing/test-account.ts";
import { type MicroUsd, microUsd, type Price, percent, price, ratio, unixMs } from "../units.ts";
import { dailyLossAllowance } from "./daily-loss.ts";
import { isBreached } from "./limit.ts";
import { drawdownOutlook } from "./outlook.ts";
import { dayEndBreach, drawdownOf } from "./registry.ts";
import { staticLossAllowance } from "./static-loss-limit.ts";

/** Pairs priced in USD, a pair with USD as its base, and a cross. The smallest size is worth about 20,000 USD. */
const PAIRS = [
  { pair: "BTCUSD", entry: 50_000, minLots: 0.4 },
  { pair: "EURUSD", entry: 1.1, minLots: 0.2 },
  { pair: "USDJPY", entry: 150, minLots: 0.2 },
  { pair: "EURJPY", entry: 165, minLots: 0.2 },
] as const;
const TICK = 0.00001;

const usd = (range: { readonly min: number; readonly max: number }) =>
  fc.integer({ min: range.min * 1e6, max: range.max * 1e6 }).map(microUsd);
const accounts = fc.record({
  traded: fc.constantFrom(...PAIRS),
  direction: fc.constantFrom("long", "short"),
  times: fc.integer({ min: 1, max: 400 }),
  realized: usd({ min: -3_000, max: 40_000 }),
  fees: usd({ min: 0, max: 500 }),
  startEquity: usd({ min: 90_000, max: 130_000 }),
  highWater: usd({ min: 100_000, max: 130_000 }),
  limitPct: fc.integer({ min: 100, max: 4_000 }).map((hundredths) => percent(hundredths / 100)),
});
type Made = typeof accounts extends fc.Arbitrary<infer One> ? One : never;

interface Checked {
  readonly criteria: DrawdownCriteria;
  readonly limit: LossRule;
  readonly isBreachedAt: (state: AccountState, equity: MicroUsd) => boolean;
}

const LIMITS: readonly Checked[] = [
  {
    criteria: "static",
    limit: "dailyLoss",
    isBreachedAt: (state, equity) => isBreached(dailyLossAllowance(state), equity),
  },
  {
    criteria: "static",
    limit: "staticLoss",
    isBreachedAt: (state, equity) => isBreached(staticLossAllowance(state), equity),
  },
  {
    criteria: "trailing",
    limit: "endOfDayTrailing",
    isBreachedAt: (state, equity) =>
      dayEndBreach({
        ...state,
        ...figuresAfterMidnight(state, { midnightMs: unixMs(0), equity }),
      }) !== null,
  },
];

function accountOf(made: Made, criteria: DrawdownCriteria): AccountState {
  const { traded, direction, startEquity, highWater, limitPct } = made;
  const { pair, entry, minLots } = traded;
  const challenge = { ...CLASSIC_TERMS.challenge, dailyLossPct: limitPct, maxLossPct: limitPct };
  return createTestAccount({
    terms: { ...CLASSIC_TERMS, criteria, challenge },
    realized: made.realized,
    fees: made.fees,
    day: { startMs: unixMs(0), startEquity, earlierReturn: ratio(0) },
    endOfDay: { equity: startEquity, highWater },
    positions: [createTestPosition({ pair, direction, lots: minLots * made.times, entry })],
  });
}

/** The equity at a price of the traded pair, while the rate of the yen stays the same. */
function equityAt(state: AccountState, { traded }: Made, at: Price): MicroUsd {
  const equity = equityOf(state, createTestMarket({ USDJPY: 150, [traded.pair]: at }));
  if (!equity.ok) throw new Error("a market with every price");
  return equity.value;
}

/**
 * The breach price of the outlook. Also null for a price below a tenth or above ten times the entry price, where one
 * tick may change no amount.
 */
function breachPrice(state: AccountState, made: Made, limit: Checked["limit"]): Price | null {
  const entry = price(made.traded.entry);
  const market = createTestMarket({ USDJPY: 150, [made.traded.pair]: entry });
  const drawdown = drawdownOf(state, equityAt(state, made, entry));
  const outlook = drawdownOutlook(state, drawdown, market);
  const at = outlook.find(({ rule }) => rule === limit)?.breachPrice ?? null;
  return at !== null && at > entry / 10 && at < entry * 10 ? at : null;
}

describe.each(LIMITS)(
  "$limit in a program with $criteria limits [D4.outlook]",
  ({ criteria, limit, isBreachedAt }) => {
    test("the limit is met at its breach price and breached one tick beyond", () => {
      let checked = 0;
      fc.assert(
        fc.property(accounts, (made) => {
          const state = accountOf(made, criteria);
          const at = breachPrice(state, made, limit);
          if (at === null) return;
          checked += 1;
          const step = Math.max(TICK, at * 1e-9);
          const beyond = price(made.direction === "long" ? at - step : at + step);
          expect(isBreachedAt(state, equityAt(state, made, at))).toBe(false);
          expect(isBreachedAt(state, equityAt(state, made, beyond))).toBe(true);
        }),
        propertySettings(1_000),
      );
      expect(checked).toBeGreaterThan(scaledCount(500));
    });
  },
);
