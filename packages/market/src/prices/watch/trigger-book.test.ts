import { type AccountId, accountId, pairId, price } from "@propgate/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertySettings } from "../../../../../test/environment/depth.ts";
import { madeQuote } from "../../../../server/src/testing/made-quote.ts";
import {
  createTriggerBook,
  NO_LEVELS,
  type PlacedLevels,
  type WatchLevel,
} from "./trigger-book.ts";

const A = accountId("a");
const B = accountId("b");

function level(over: Partial<WatchLevel>): WatchLevel {
  return { pair: pairId("BTCUSD"), side: "bid", when: "atOrBelow", price: price(100), ...over };
}

/** Makes a book of accounts. */
function accountBook() {
  const book = createTriggerBook<AccountId>();
  const placed = new Map<AccountId, PlacedLevels>();
  return {
    replace(id: AccountId, levels: readonly WatchLevel[]) {
      placed.set(id, book.replace(id, placed.get(id) ?? NO_LEVELS, levels));
    },
    reached(bid: number, ask: number): readonly AccountId[] {
      const into = new Set<AccountId>();
      book.collect(madeQuote("BTCUSD", bid, ask, 1), (id) => into.add(id));
      return [...into].sort();
    },
    reaches: (id: AccountId, bid: number, ask: number) =>
      book.reaches(placed.get(id) ?? NO_LEVELS, () => madeQuote("BTCUSD", bid, ask, 1)),
    get size() {
      return book.size;
    },
  };
}

describe("trigger book", () => {
  test("a level is reached at its price and beyond, on its own side only [D5.legTriggers] [D5.legs]", () => {
    const book = accountBook();
    book.replace(A, [level({ side: "bid", when: "atOrBelow", price: price(100) })]);
    book.replace(B, [level({ side: "ask", when: "atOrAbove", price: price(110) })]);
    expect(book.reached(100.01, 109.99)).toEqual([]);
    expect(book.reached(100, 109.99)).toEqual([A]);
    expect(book.reached(100.01, 110)).toEqual([B]);
    expect(book.reached(90, 120)).toEqual([A, B]);
  });

  test("the mid price is halfway [D5.stopLimit]", () => {
    const book = accountBook();
    book.replace(A, [level({ side: "mid", when: "atOrAbove", price: price(105) })]);
    expect(book.reached(100, 109.98)).toEqual([]);
    expect(book.reached(100, 110)).toEqual([A]);
  });

  test("another pair's quote reaches no level", () => {
    const book = accountBook();
    book.replace(A, [level({ pair: pairId("ETHUSD"), price: price(1_000) })]);
    expect(book.reached(1, 1)).toEqual([]);
  });

  test("a level stays until its account's levels are replaced", () => {
    const book = accountBook();
    book.replace(A, [level({ price: price(100) }), level({ price: price(90) })]);
    expect(book.reached(95, 96)).toEqual([A]);
    expect(book.reached(95, 96)).toEqual([A]);
    book.replace(A, [level({ price: price(90) })]);
    expect(book.reached(95, 96)).toEqual([]);
    expect(book.size).toBe(1);
    book.replace(A, []);
    expect(book.size).toBe(0);
  });

  test("the trigger book collects the same accounts as a linear search through all levels", () => {
    const whole = fc.integer({ min: 1, max: 60 });
    const made = fc.record({
      side: fc.constantFrom("bid", "ask", "mid"),
      when: fc.constantFrom("atOrBelow", "atOrAbove"),
      price: whole.map(price),
    });
    const change = fc.record({
      account: fc.integer({ min: 0, max: 8 }),
      levels: fc.array(made, { maxLength: 5 }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), whole, whole, (changes, one, other) => {
        const book = accountBook();
        const plain = new Map<AccountId, readonly WatchLevel[]>();
        for (const { account, levels } of changes) {
          const id = accountId(`account-${account}`);
          const full = levels.map((entry) => level(entry));
          book.replace(id, full);
          plain.set(id, full);
        }
        const [bid, ask] = [Math.min(one, other), Math.max(one, other)];
        const prices = { bid, ask, mid: (bid + ask) / 2 };
        const expected = [...plain]
          .filter(([, levels]) =>
            levels.some((entry) =>
              entry.when === "atOrBelow"
                ? prices[entry.side] <= entry.price
                : prices[entry.side] >= entry.price,
            ),
          )
          .map(([id]) => id)
          .sort();
        expect(book.reached(bid, ask)).toEqual(expected);
        const ids = [...plain.keys()].sort();
        expect(ids.filter((id) => book.reaches(id, bid, ask))).toEqual(expected);
      }),
      propertySettings(500),
    );
  });
});
