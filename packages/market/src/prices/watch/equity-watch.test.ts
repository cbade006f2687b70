import {
  type AccountId,
  type AccountState,
  accountId,
  drawdownBelow,
  equityOf,
  evolve,
  liveBreach,
  lowestPassingEquity,
  type MicroUsd,
  microUsd,
  type PairId,
  pairId,
  percent,
  price,
  type Quote,
  type Verdict,
  verdictAt,
} from "@propgate/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertySettings, scaledCount } from "../../../../../test/environment/depth.ts";
import {
  HELD_MARKET,
  HELD_PAIRS,
  HOLDER_KINDS,
  type HolderKind,
  type Holding,
  madeHolder,
  startingQuotes,
} from "../../../../server/src/testing/made-holdings.ts";
import { madeQuote } from "../../../../server/src/testing/made-quote.ts";
import { createEquityWatch, type EquityEffect, type WatchedEquity } from "./equity-watch.ts";

const ID = accountId("account");

interface Move {
  readonly pair: string;
  readonly ratio: number;
  readonly spread: number;
}

const holding = fc.record({
  pair: fc.constantFrom(...HELD_PAIRS),
  isLong: fc.boolean(),
  weight: fc.double({ min: 0.05, max: 6, noNaN: true }),
});
const holdings = fc.uniqueArray(holding, {
  minLength: 1,
  maxLength: 4,
  selector: ({ pair }) => pair,
});
const holders = fc.array(fc.record({ kind: fc.constantFrom(...HOLDER_KINDS), holdings }), {
  minLength: 5,
  maxLength: 30,
});
const moves = fc.array(
  fc.record({
    pair: fc.constantFrom(...HELD_PAIRS),
    ratio: fc.double({ min: 0.98, max: 1.02, noNaN: true }),
    spread: fc.double({ min: 0, max: 0.002, noNaN: true }),
  }),
  { minLength: 20, maxLength: 60 },
);

/** Moves the pair's quote on the board and returns it. */
function moved(quotes: Map<PairId, Quote>, { pair, ratio, spread }: Move): Quote {
  const bid = (quotes.get(pairId(pair))?.bid ?? 1) * ratio;
  const quote = madeQuote(pair, bid, bid * (1 + spread), 0);
  quotes.set(quote.pair, quote);
  return quote;
}

function equityAt(state: AccountState, quotes: ReadonlyMap<PairId, Quote>): MicroUsd {
  const equity = equityOf(state, { quotes, instruments: HELD_MARKET });
  if (!equity.ok) throw new Error(`no price of ${equity.refusal.pair}`);
  return equity.value;
}

/** The verdict that ends or passes the account; it has priority over any new low. */
function finalVerdictAt(state: AccountState, equity: MicroUsd): Verdict | null {
  const breach = state.status === "active" ? liveBreach(state, equity) : null;
  if (breach !== null) return { kind: "breach", breach };
  const passed = state.status === "active" ? lowestPassingEquity(state) : null;
  return passed !== null && equity >= passed ? { kind: "passed" } : null;
}

/** The account after the verdict: with its new low or level recorded, or ended. */
function after(state: AccountState, verdict: Verdict): AccountState {
  const atMs = state.openedAtMs;
  if (verdict.kind === "deeper") {
    const { maxDrawdown } = verdict;
    return evolve(state, { type: "drawdownDeepened", atMs, maxDrawdown });
  }
  if (verdict.kind !== "neared") return { ...state, status: "closed" };
  return evolve(state, { type: "limitNeared", atMs, ...verdict.neared, worst: null });
}

/**
 * The verdict that the effect announced.
 * @throws when the equity has no such effect.
 */
function verdictOf(effect: EquityEffect, state: AccountState, equity: MicroUsd): Verdict {
  const verdict = effect === "final" ? finalVerdictAt(state, equity) : verdictAt(state, equity);
  if (verdict === null) throw new Error(`no ${effect} verdict at ${equity}`);
  return verdict;
}

function isRecord({ kind }: Verdict): boolean {
  return kind === "deeper" || kind === "neared";
}

/** Accounts under one watch, and the verdicts of each quote. With `waiting` no low or level is ever recorded. */
function watchedDay(accounts: readonly AccountState[], lows: "recorded" | "waiting" = "recorded") {
  const quotes = startingQuotes();
  const watch = createEquityWatch(HELD_MARKET);
  const states = new Map(accounts.map((state) => [state.accountId, state]));
  const settle = (state: AccountState): readonly Verdict[] =>
    settled(state, watch.update(state, quotes));
  const settled = (state: AccountState, effect: EquityEffect | null): readonly Verdict[] => {
    if (effect === null) return [];
    const verdict = verdictOf(effect, state, equityAt(state, quotes));
    if (isRecord(verdict) && lows === "waiting") return [verdict];
    const next = after(state, verdict);
    states.set(state.accountId, next);
    return [verdict, ...settle(next)];
  };
  for (const state of accounts) settle(state);
  return {
    quotes,
    states,
    /** Gives an account another state after a trade, and returns its verdicts. */
    trade(state: AccountState): readonly Verdict[] {
      states.set(state.accountId, state);
      return settle(state);
    },
    /** Shows a quote to the watch, and returns the verdicts on the accounts that it checked. */
    give(quote: Quote): ReadonlyMap<AccountId, readonly Verdict[]> {
      const inDoubt = new Set<WatchedEquity>();
      watch.collect(quote, inDoubt);
      return new Map(
        [...inDoubt].map((account) => {
          const { state } = account;
          return [state.accountId, settled(state, watch.check(account, quotes))];
        }),
      );
    },
  };
}

type WatchedDay = ReturnType<typeof watchedDay>;

function holdersOf(
  made: readonly { readonly kind: HolderKind; readonly holdings: readonly Holding[] }[],
): readonly AccountState[] {
  return made.map((one, index) => {
    const holder = madeHolder({ accountId: accountId(`a-${index}`), ...one });
    return index % 2 === 0 ? holder : withLevels(holder);
  });
}

function withLevels(state: AccountState): AccountState {
  return { ...state, terms: { ...state.terms, nearLevels: [50, 75, 90].map(percent) } };
}

/** The verdict that a check of this account alone finds; null without positions, and when the equity has no effect. */
function expectedVerdict(state: AccountState, quotes: ReadonlyMap<PairId, Quote>): Verdict | null {
  if (state.positions.length === 0) return null;
  const equity = equityAt(state, quotes);
  return finalVerdictAt(state, equity) ?? verdictAt(state, equity);
}

/** Gives an active account other positions, and compares the verdict with the expected one. */
function expectTrade(day: WatchedDay, which: number, held: readonly Holding[]): void {
  const before = [...day.states.values()][which];
  if (before?.status !== "active") return;
  const { positions } = madeHolder({ ...before, kind: "static", holdings: held });
  const state = { ...before, positions };
  const expected = expectedVerdict(state, day.quotes);
  const [first = null] = day.trade(state);
  expect(first).toEqual(expected);
}

/** Compares the verdicts of a quote on all accounts with the expected ones. Returns how many verdicts there were. */
function expectQuote(day: WatchedDay, quote: Quote): number {
  const states = [...day.states.values()];
  const verdicts = day.give(quote);
  const found = states.map(({ accountId: id }) => verdicts.get(id)?.[0] ?? null);
  expect(found).toEqual(states.map((state) => expectedVerdict(state, day.quotes)));
  return found.filter((one) => one !== null).length;
}

describe("the equity watch against a check of every account", () => {
  test("the equity watch finds every verdict, for any positions and price moves [D7.breach] [D7.pass]", () => {
    const seen = { deeper: 0, breach: 0, passed: 0, neared: 0 };
    fc.assert(
      fc.property(holders, moves, (made, steps) => {
        const day = watchedDay(holdersOf(made));
        for (const step of steps) {
          const plain = new Map(day.states);
          const verdicts = day.give(moved(day.quotes, step));
          for (const [id, state] of plain) {
            const equity = equityAt(state, day.quotes);
            const expected = finalVerdictAt(state, equity) ?? verdictAt(state, equity);
            const [first = null] = verdicts.get(id) ?? [];
            expect(first).toEqual(expected);
            if (first !== null) seen[first.kind] += 1;
          }
        }
      }),
      propertySettings(500),
    );
    expect(seen.deeper).toBeGreaterThan(scaledCount(1_000));
    expect(seen.breach).toBeGreaterThan(scaledCount(650));
    expect(seen.passed).toBeGreaterThan(scaledCount(160));
    expect(seen.neared).toBeGreaterThan(scaledCount(330));
  });

  test("the equity watch finds every verdict on accounts that trade between the quotes [D7.breach] [D7.pass]", () => {
    const trade = fc.record({ which: fc.nat(), held: fc.oneof(holdings, fc.constant([])) });
    const trades = fc.array(fc.option(trade, { freq: 2 }), { minLength: 60, maxLength: 60 });
    let found = 0;
    fc.assert(
      fc.property(holders, moves, trades, (made, steps, traded) => {
        const day = watchedDay(holdersOf(made));
        for (const [index, step] of steps.entries()) {
          const next = traded[index] ?? null;
          if (next !== null) expectTrade(day, next.which % made.length, next.held);
          found += expectQuote(day, moved(day.quotes, step));
        }
      }),
      propertySettings(200),
    );
    expect(found).toBeGreaterThan(scaledCount(330));
  });

  test("a pro account's deepest drawdown is that of its lowest equity, to the digit [D7.maxDrawdown]", () => {
    fc.assert(
      fc.property(holdings, moves, (held, steps) => {
        const account = madeHolder({ accountId: ID, kind: "pro", holdings: held });
        const day = watchedDay([account]);
        let deepest = 0.01;
        for (const step of steps) {
          day.give(moved(day.quotes, step));
          const state = day.states.get(ID) ?? account;
          if (state.status !== "active") return;
          const equity = equityAt(state, day.quotes);
          deepest = Math.max(deepest, drawdownBelow(microUsd(100_000_000_000), equity));
          expect(state.pro?.statistics?.maxDrawdown).toBe(deepest);
        }
      }),
      propertySettings(500),
    );
  });

  test("the equity watch still watches the limits of an account whose low is not recorded yet [D7.breach]", () => {
    let breaches = 0;
    fc.assert(
      fc.property(fc.array(holdings, { minLength: 1, maxLength: 10 }), moves, (held, steps) => {
        const pros = holdersOf(held.map((one) => ({ kind: "pro", holdings: one })));
        const day = watchedDay(pros, "waiting");
        for (const step of steps) {
          const before = [...day.states.values()].filter(({ status }) => status === "active");
          const verdicts = day.give(moved(day.quotes, step));
          const expected = before.map((one) => finalVerdictAt(one, equityAt(one, day.quotes)));
          const found = before.map(({ accountId: id }) => verdicts.get(id)?.[0] ?? null);
          expect(found.map((one) => (one !== null && isRecord(one) ? null : one))).toEqual(
            expected,
          );
          breaches += expected.filter((one) => one !== null).length;
        }
      }),
      propertySettings(300),
    );
    expect(breaches).toBeGreaterThan(scaledCount(300));
  });
});

describe("equity watch: one account", () => {
  /**
   * Makes an account with one position of its size in BTCUSD at 40,000. Returns a function that gives a price and
   * returns the verdicts.
   */
  const btc = (kind: HolderKind, isLong: boolean, lows?: "waiting") =>
    btcOf(
      madeHolder({ accountId: ID, kind, holdings: [{ pair: "BTCUSD", isLong, weight: 1 }] }),
      lows,
    );
  const btcOf = (holder: AccountState, lows?: "waiting") => {
    const day = watchedDay([holder], lows);
    return (bid: number, ask = bid) => {
      const quote = madeQuote("BTCUSD", bid, ask, 0);
      day.quotes.set(quote.pair, quote);
      const looks = day.give(quote).get(ID);
      return looks?.map((verdict) => verdict.kind) ?? "not looked at";
    };
  };

  test("an account is checked at its limit, and not before [D7.breach]", () => {
    const at = btc("static", true);
    // The position has 2.5 BTC, so a fall of 2,000 is the limit of 5,000 USD.
    for (const bid of [39_500, 38_500, 41_000, 38_010]) expect(at(bid)).toBe("not looked at");
    expect(at(38_000)).toEqual([]);
    expect(at(37_999.99)).toEqual(["breach"]);
  });

  test("an account is checked at each level of its limits, once, and not between them [D9.limitNeared]", () => {
    const held = [{ pair: "BTCUSD", isLong: true, weight: 1 }];
    const at = btcOf(withLevels(madeHolder({ accountId: ID, kind: "static", holdings: held })));
    // Half of the limit is a fall of 1,000.
    for (const bid of [39_500, 41_000, 39_010]) expect(at(bid)).toBe("not looked at");
    expect(at(39_000)).toEqual(["neared", "neared"]);
    for (const bid of [39_500, 38_900, 38_600]) expect(at(bid)).toBe("not looked at");
    // A quote beyond the third level records only that one.
    expect(at(38_200)).toEqual(["neared", "neared"]);
    for (const bid of [38_010, 38_600, 38_100]) expect(at(bid)).toBe("not looked at");
    expect(at(37_999.99)).toEqual(["breach"]);
  });

  test("an account whose level is not recorded yet is watched for its breach alone [D9.limitNeared]", () => {
    const held = [{ pair: "BTCUSD", isLong: true, weight: 1 }];
    const made = withLevels(madeHolder({ accountId: ID, kind: "static", holdings: held }));
    const at = btcOf(made, "waiting");
    expect(at(39_000)).toEqual(["neared"]);
    expect([38_900, 38_400, 38_010].map((bid) => at(bid))).toEqual(Array(3).fill("not looked at"));
    expect(at(37_999)).toEqual(["breach"]);
  });

  test("an account whose balance has the target passes when its open loss is small enough [D7.pass]", () => {
    const long = btc("heldBack", true);
    // The account has a loss of 1,000 USD and passes at a loss of 500: that is a rise of 200 for each of 2.5 BTC.
    for (const bid of [39_000, 40_100, 40_190]) expect(long(bid, 40_500)).toBe("not looked at");
    expect(long(40_200, 40_500)).toEqual(["passed"]);
    const short = btc("heldBack", false);
    for (const ask of [41_000, 39_900, 39_810]) expect(short(39_000, ask)).toBe("not looked at");
    expect(short(39_000, 39_800)).toEqual(["passed"]);
  });

  test("an account whose low is not recorded yet is not checked for a deeper one [D7.maxDrawdown]", () => {
    const at = btc("pro", true, "waiting");
    expect(at(39_599)).toEqual(["deeper"]);
    expect([39_000, 39_800, 38_010].map((bid) => at(bid))).toEqual(Array(3).fill("not looked at"));
    expect(at(37_999)).toEqual(["breach"]);
  });

  test("a pro account is checked below its recorded low, at each new low [D7.maxDrawdown]", () => {
    const at = btc("pro", true);
    // A low of 1 % is already recorded. That is 1,000 USD, or 400 for each of 2.5 BTC.
    for (const bid of [39_700, 40_500, 39_601]) expect(at(bid)).toBe("not looked at");
    expect(at(39_599)).toEqual(["deeper"]);
    expect(at(39_600)).toBe("not looked at");
    expect(at(39_500)).toEqual(["deeper"]);
    expect(at(39_501)).toBe("not looked at");
  });

  test("an account whose gain another pair converts to dollars is watched for both pairs [D4.pnlRate]", () => {
    const held = [{ pair: "EURGBP", isLong: true, weight: 1 }];
    const made = madeHolder({ accountId: ID, kind: "static", holdings: held });
    // The day started with 157,000 USD, so the limit is at 149,150.
    const state: AccountState = {
      ...made,
      positions: made.positions.map((one) => ({ ...one, averageEntryPrice: price(0.4) })),
      day: { ...made.day, startEquity: microUsd(157_000_000_000) },
    };
    const day = watchedDay([state]);
    const at = (pair: string, bid: number) => {
      const quote = madeQuote(pair, bid, bid, 0);
      day.quotes.set(quote.pair, quote);
      return (
        day
          .give(quote)
          .get(ID)
          ?.map(({ kind }) => kind) ?? "not looked at"
      );
    };
    // 100,000 EUR have gained 0.4 GBP each: 50,000 USD at 1.25, 49,800 at 1.245.
    expect(at("GBPUSD", 1.245)).toBe("not looked at");
    expect(at("EURGBP", 0.792)).toEqual(["breach"]);
  });

  test("an account in a pair without a price is checked at the first price", () => {
    const watch = createEquityWatch(HELD_MARKET);
    const held = [{ pair: "BTCUSD", isLong: true, weight: 1.5 }];
    const account = madeHolder({ accountId: ID, kind: "static", holdings: held });
    expect(watch.update(account, new Map())).toBeNull();
    const inDoubt = new Set<WatchedEquity>();
    watch.collect(madeQuote("BTCUSD", 41_000, 41_001, 0), inDoubt);
    expect([...inDoubt].map(({ state }) => state.accountId)).toEqual([ID]);
  });
});
