import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertySettings } from "../../../../../test/environment/depth.ts";
import { createPriceHeap } from "./price-heap.ts";

function visitsOf(resting: number): number {
  const heap = createPriceHeap<number>("falling");
  for (let index = 0; index < resting; index += 1) heap.add(index, 1 + (index % 997));
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
    const heap = createPriceHeap<number>("rising");
    const handles = [5, 3, 8, 1, 9, 2, 7].map((price) => heap.add(price, price));
    for (const handle of handles.filter((one) => heap.priceOf(one) % 2 === 1)) heap.remove(handle);
    const seen: number[] = [];
    heap.visitReached(8, (price) => seen.push(price));
    expect(seen.sort((one, other) => one - other)).toEqual([2, 8]);
    expect(heap.size).toBe(2);
  });

  test("the price heap finds the same entries as a linear search, after additions, moves and removals", () => {
    const price = fc.integer({ min: 1, max: 50 });
    const step = fc.record({
      do: fc.constantFrom("add", "add", "move", "remove"),
      which: fc.nat(),
      price,
    });
    const side = fc.constantFrom("rising", "falling");
    let sizeMax = 0;
    fc.assert(
      fc.property(
        side,
        fc.array(step, { minLength: 60, maxLength: 160 }),
        price,
        (way, steps, at) => {
          const heap = createPriceHeap<string>(way);
          const plain: { readonly owner: string; readonly handle: number; price: number }[] = [];
          for (const [number, { do: what, which, price: given }] of steps.entries()) {
            const index = which % Math.max(1, plain.length);
            const entry = plain[index];
            if (what === "add" || entry === undefined) {
              const owner = `owner-${number}`;
              plain.push({ owner, handle: heap.add(owner, given), price: given });
            } else if (what === "move") {
              heap.move(entry.handle, given);
              entry.price = given;
            } else {
              plain.splice(index, 1);
              heap.remove(entry.handle);
            }
            sizeMax = Math.max(sizeMax, plain.length);
          }
          const seen: string[] = [];
          heap.visitReached(at, (owner) => seen.push(owner));
          const reached = plain.filter((entry) =>
            way === "rising" ? entry.price <= at : entry.price >= at,
          );
          expect(seen.sort()).toEqual(reached.map(({ owner }) => owner).sort());
          expect(heap.size).toBe(plain.length);
          for (const { handle, price: expected } of plain) {
            expect(heap.priceOf(handle)).toBe(expected);
          }
        },
      ),
      propertySettings(500),
    );
    // This size has several levels of the tree and exceeds its first capacity.
    expect(sizeMax).toBeGreaterThan(30);
  });
});
