/**
 * The model moves prices and judges the account. Only the price of the position's own pair moves, so rates stay, except
 * for a pair that converts at its own price.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertySettings, scaledCount } from "../../../../test/environment/depth.ts";
import { positionValueOf } from "../account/equity.ts";
import { markOf } from "../market/mark.ts";
import type { AccountState } from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import type { Position } from "../state/position.ts";
import { CLASSIC_TERMS } from "../testing/catalogue.ts";
import {
  createTestAccount,
  createTestMarket,
  createTestPosition,
} from "../testing/test-account.ts";
import { addUsd, type MicroUsd, microUsd, percent, price, ratio, unixMs } from "../units.ts";
import { soloBreachPrices } from "./breach-price.ts";
import { isBreached } from "./limit.ts";
import { drawdownOutlook } from "./outlook.ts";
import { drawdownOf, LOSS_LIMITS, liveBreach } from "./registry.ts";

/** Pairs priced in USD, a pair that converts at its own price, and a cross that this pair converts. */
const PAIRS = {
  BTCUSD: { price: 50_000, lotsMin: 0.05 },
  EURUSD: { price: 1.1, lotsMin: 0.02 },
  USDJPY: { price: 150, lotsMin: 0.03 },
  GBPUSD: { price: 1.25, lotsMin: 0.02 },
  EURJPY: { price: 165, lotsMin: 0.02 },
} as const;
type Pair = keyof typeof PAIRS;
const NAMES = Object.keys(PAIRS) as readonly Pair[];

const quoteOf = (pair: Pair, times: number): readonly [number, number] => {
  const bid = PAIRS[pair].price * times;
  return [bid, bid * 1.0002];
};

const usd = (range: { readonly min: number; readonly max: number }) =>
  fc.integer({ min: range.min * 1e6, max: range.max * 1e6 }).map(microUsd);
const accounts = fc.record({
  held: fc.uniqueArray(
    fc.record({
      pair: fc.constantFrom(...NAMES),
      direction: fc.constantFrom("long" as const, "short" as const),
      times: fc.integer({ min: 1, max: 60 }),
      /** The entry price divided by the present price. */
      entry: fc.integer({ min: 9_700, max: 10_300 }).map((share) => share / 10_000),
    }),
    { minLength: 1, maxLength: 4, selector: ({ pair }) => pair },
  ),
  realized: usd({ min: -3_000, max: 30_000 }),
  startEquity: usd({ min: 95_000, max: 115_000 }),
  limitPct: fc.integer({ min: 100, max: 4_000 }).map((hundredths) => percent(hundredths / 100)),
  criteria: fc.constantFrom("static" as const, "trailing" as const),
});
type DrawnAccount = typeof accounts extends fc.Arbitrary<infer One> ? One : never;

function accountOf({
  held,
  realized,
  startEquity,
  limitPct,
  criteria,
}: DrawnAccount): AccountState {
  const challenge = { ...CLASSIC_TERMS.challenge, dailyLossPct: limitPct, maxLossPct: limitPct };
  return createTestAccount({
    terms: { ...CLASSIC_TERMS, criteria, challenge },
    realized,
    day: { startMs: unixMs(0), startEquity, earlierReturn: ratio(0) },
    positions: held.map(({ pair, direction, times, entry }) => {
      const { lotsMin, price: now } = PAIRS[pair];
      return createTestPosition({ pair, direction, lots: lotsMin * times, entry: now * entry });
    }),
  });
}

const NOW = Object.fromEntries(NAMES.map((pair) => [pair, quoteOf(pair, 1)]));
const MARKET = createTestMarket(NOW);

/** The PnL of a position when its pair's price is multiplied by this factor and no other price changes. */
function pnlAt(position: Position, times: number): MicroUsd {
  const name = NAMES.find((pair) => pair === String(position.pair));
  if (name === undefined) throw new Error("a pair of the model");
  const value = positionValueOf(
    position,
    createTestMarket({ ...NOW, [name]: quoteOf(name, times) }),
  );
  if (value === null) throw new Error("a market with every price");
  return value.unrealizedPnl;
}

function equityWith(state: AccountState, timesOf: (position: Position) => number): MicroUsd {
  const gains = state.positions.map((position) => pnlAt(position, timesOf(position)));
  return addUsd(balanceOf(state), ...gains);
}

/** So low a price that the position is worth nothing. */
const NOTHING = 1e-14;

const equityMoved = (state: AccountState, pct: number): MicroUsd =>
  equityWith(state, ({ direction }) =>
    direction === "long" ? Math.max(NOTHING, 1 - pct / 100) : 1 + pct / 100,
  );

/**
 * The outcome of the check of one figure. `never`: the account ends at no value. `ended`: it ends at every value.
 * `checked`: it ends just beyond the figure. `far`: the figure is too large for the check.
 */
type CheckOutcome = "never" | "ended" | "checked" | "far";

class Tally {
  readonly #counts = new Map<CheckOutcome, number>();

  add(found: CheckOutcome): void {
    this.#counts.set(found, this.of(found) + 1);
  }

  of(found: CheckOutcome): number {
    return this.#counts.get(found) ?? 0;
  }
}

interface CheckedFigure {
  readonly at: number | null;
  /** A figure whose absolute value is above this is not checked. */
  readonly far: number;
  readonly step: number;
  /** Whether the account has ended at this value of the figure. A greater value is worse for the account. */
  readonly hasEndedAt: (place: number) => boolean;
  readonly best: number;
  readonly worst: number;
}

/** Checks that the limit is not breached just before the value `at`, and is breached just beyond it. */
function check({ at, far, step, hasEndedAt, best, worst }: CheckedFigure): CheckOutcome {
  if (at === null) {
    // Without `at` the account ends at no value, or at every value.
    const always = hasEndedAt(best);
    expect(hasEndedAt(worst)).toBe(always);
    return always ? "ended" : "never";
  }
  if (Math.abs(at) > far) return "far";
  expect(hasEndedAt(at - step)).toBe(false);
  expect(hasEndedAt(at + step)).toBe(true);
  return "checked";
}

describe("prices that move against the account together [D12.breachMove]", () => {
  const checkCommonMove = (state: AccountState, tally: Tally): void => {
    const drawdown = drawdownOf(state, equityMoved(state, 0));
    for (const { rule, breachMovePct: at } of drawdownOutlook(state, drawdown, MARKET)) {
      const limit = LOSS_LIMITS[rule];
      if (limit.checked === "endOfDay") {
        expect(at).toBeNull();
        continue;
      }
      const hasEndedAt = (pct: number): boolean =>
        isBreached(limit.allows(state), equityMoved(state, pct));
      if (hasEndedAt(0)) expect(at).toBe(0);
      else {
        const step = 1e-6 * (1 + (at ?? 0));
        const far = Number.POSITIVE_INFINITY;
        tally.add(check({ at, far, step, hasEndedAt, best: 0, worst: 1e8 }));
      }
    }
  };

  test("just before its move a limit is not breached, and just beyond it is", () => {
    const tally = new Tally();
    fc.assert(
      fc.property(accounts, (made) => checkCommonMove(accountOf(made), tally)),
      propertySettings(1_000),
    );
    expect(tally.of("checked")).toBeGreaterThan(scaledCount(500));
    expect(tally.of("never")).toBeGreaterThan(0);
  });
});

describe("one price that moves alone [D12.breachAlone]", () => {
  /**
   * The checked value is the price divided by the present price. For a long it is negative, so that a greater value is
   * worse for the account, as for a short.
   */
  const checkOnePriceAlone = (state: AccountState, tally: Tally): void => {
    const prices = soloBreachPrices(state, MARKET);
    for (const position of state.positions) {
      const isLong = position.direction === "long";
      const hasEndedAt = (place: number): boolean => {
        const equity = equityWith(state, (one) => (one === position ? Math.abs(place) : 1));
        return liveBreach(state, equity) !== null;
      };
      const [best, worst] = isLong ? [-1e4, -1e-4] : [1e-4, 1e4];
      const breach = prices.get(position.uuid);
      const at = breach === undefined ? null : breach / markNow(position);
      const place = at === null || !isLong ? at : -at;
      const step = 1e-7 * (at ?? 1);
      tally.add(check({ at: place, far: 20, step, hasEndedAt, best, worst }));
    }
  };

  test("the account survives up to the price and ends one step beyond it", () => {
    const tally = new Tally();
    fc.assert(
      fc.property(accounts, (made) => checkOnePriceAlone(accountOf(made), tally)),
      propertySettings(1_000),
    );
    expect(tally.of("checked")).toBeGreaterThan(scaledCount(500));
    expect(tally.of("never")).toBeGreaterThan(0);
  });

  test("the price of an only position is the breach price of its nearest live limit", () => {
    const position = createTestPosition({
      pair: "BTCUSD",
      direction: "long",
      lots: 1,
      entry: 50_000,
    });
    const state = createTestAccount({ positions: [position] });
    expect(soloBreachPrices(state, createTestMarket({ BTCUSD: 50_000 })).get(position.uuid)).toBe(
      price(45_000),
    );
    const ended = createTestAccount({ positions: [position], status: "eliminated" });
    expect(soloBreachPrices(ended, createTestMarket({ BTCUSD: 50_000 })).size).toBe(0);
  });

  test("no price has a breach of its own without a price of every position", () => {
    const held = [
      createTestPosition({ pair: "BTCUSD", direction: "long", lots: 1, entry: 50_000 }),
      createTestPosition({ pair: "EURUSD", direction: "long", lots: 1, entry: 1.1 }),
    ];
    const state = createTestAccount({ positions: held });
    expect(soloBreachPrices(state, createTestMarket({ BTCUSD: 50_000 })).size).toBe(0);
    expect(soloBreachPrices(state, createTestMarket({ BTCUSD: 50_000, EURUSD: 1.1 })).size).toBe(2);
  });
});

function markNow({ pair, direction }: Position): number {
  const quote = MARKET.quotes.get(pair);
  if (quote === undefined) throw new Error("a market with every price");
  return markOf(direction, quote);
}
