import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPriceHeap, type HeapEntry } from "./price-heap.ts";

function visitsOf(resting: number): number {
  const heap = createPriceHeap<HeapEntry>("falling");
  for (let index = 0; index < resting; index += 1)
    heap.add({ price: 1 + (index % 997), place: -1 });
  let visits = 0;
  heap.visitReached(2_000, () => {
    visits += 1;
  });
  return visits;
}

describe("price heap", () => {
  test("a price that reaches no entry visits none, in a heap of any size", () => {
    expect([visitsOf(100), visitsOf(100_000)]).toEqual([0, 0]);
  });

  test("entries can be removed in any order, and the others stay reachable", () => {
    const heap = createPriceHeap<HeapEntry>("rising");
    const entries = [5, 3, 8, 1, 9, 2, 7].map((price): HeapEntry => ({ price, place: -1 }));
    for (const entry of entries) heap.add(entry);
    for (const entry of entries.filter(({ price }) => price % 2 === 1)) heap.remove(entry);
    const seen: number[] = [];
    heap.visitReached(8, ({ price }) => seen.push(price));
    expect(seen.sort((one, other) => one - other)).toEqual([2, 8]);
    expect(heap.size).toBe(2);
  });

  test("finds the same entries as a linear search, after additions, moves and removals", () => {
    const price = fc.integer({ min: 1, max: 50 });
    const step = fc.record({
      do: fc.constantFrom("add", "move", "remove"),
      which: fc.nat(),
      price,
    });
    const side = fc.constantFrom("rising", "falling");
    fc.assert(
      fc.property(side, fc.array(step, { maxLength: 80 }), price, (way, steps, at) => {
        const heap = createPriceHeap<HeapEntry>(way);
        const plain: HeapEntry[] = [];
        for (const { do: what, which, price: given } of steps) {
          const index = which % Math.max(1, plain.length);
          const entry = plain[index];
          if (what === "add" || entry === undefined) {
            const made = { price: given, place: -1 };
            plain.push(made);
            heap.add(made);
          } else if (what === "move") {
            heap.move(entry, given);
          } else {
            plain.splice(index, 1);
            heap.remove(entry);
          }
        }
        const seen: number[] = [];
        heap.visitReached(at, (entry) => seen.push(entry.price));
        const isReached = (entry: HeapEntry) =>
          way === "rising" ? entry.price <= at : entry.price >= at;
        const expected = plain.filter(isReached).map((entry) => entry.price);
        expect(seen.sort((one, other) => one - other)).toEqual(
          expected.sort((one, other) => one - other),
        );
        expect(heap.size).toBe(plain.length);
      }),
    );
  });
});
