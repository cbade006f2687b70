import type { OrderFilled } from "@propgate/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deepenedCount, SEED } from "../../../../test/environment/depth.ts";
import {
  arbitraryLifeStep,
  type LifeStep,
  type PreviewedOrder,
  WordedLife,
} from "../testing/worded-life.ts";

const LIVES = deepenedCount(10_000, 150);
const STEPS_MAX = 40;

const COUNTED_LIVES = 10_000;
/** The minimum count of each case over all random account lives. With fewer, the lives do not test the case enough. */
const MIN_CASES: Readonly<Record<string, number>> = {
  "edited bracket": 20_000,
  "edited limit": 20_000,
  "edited stopLimit": 20_000,
  "ended eliminated": 100,
  "ended passed": 15,
  "filled immediately": 1_500,
  "refused noRoom": 150,
  "refused trailingDistance": 700,
};

describe("random orders with numbers of many digits", () => {
  test("an order that is sent again as GET orders shows it is unchanged, and a preview says what its order says [D13.shownIsHeld] [D13.ended] [D13.marketable]", () => {
    const cases = new Map<string, number>();
    const count = (name: string): void => void cases.set(name, (cases.get(name) ?? 0) + 1);
    const property = fc.property(
      fc.array(arbitraryLifeStep, { minLength: 5, maxLength: STEPS_MAX, size: "max" }),
      (steps) => live(steps, count),
    );
    fc.assert(property, { numRuns: LIVES, seed: SEED + 1 });
    const tooRare = Object.entries(MIN_CASES).filter(
      ([name, min]) => (cases.get(name) ?? 0) < Math.floor((min * LIVES) / COUNTED_LIVES),
    );
    expect(tooRare, JSON.stringify([...cases])).toEqual([]);
  });
});

type Count = (name: string) => void;

function live(steps: readonly LifeStep[], count: Count): void {
  const life = new WordedLife();
  for (const step of steps) {
    const sent = life.take(step);
    if (sent !== null) expectSame(sent, count);
    if (!life.isActive) return;
    for (const order of life.pending) {
      expect(life.editAsShown(order), JSON.stringify(order)).toEqual(life.pending);
      count(`edited ${order.kind}`);
    }
  }
}

/** Expects the preview to refuse what the order refuses, and to have the figures of its fill. */
function expectSame({ trade, preview, done, settled }: PreviewedOrder, count: Count): void {
  if (!preview.ok || !done.ok) {
    expect(preview, trade).toEqual(done);
    if (!done.ok) count(`refused ${done.refusal.code}`);
    return;
  }
  const previewed = preview.value;
  if (previewed === null) throw new Error(`no preview of ${trade}`);
  const { receipt, events } = done;
  expect(previewed.ended, trade).toBe(receipt.ended);
  if (receipt.ended !== null) count(`ended ${receipt.ended}`);
  const isOwn = (one: { readonly orderUuid: string }) => one.orderUuid === receipt.orderUuid;
  const fill = [...events, ...settled].find(
    (event): event is OrderFilled => event.type === "orderFilled" && isOwn(event),
  );
  const rejected = settled.find((event) => event.type === "orderRejected" && isOwn(event));
  if (receipt.order?.filled === false && receipt.order.order.kind === "limit") {
    expect(rejected, trade).toBeUndefined();
    if (fill !== undefined) count("filled immediately");
  }
  if (fill === undefined) return;
  const { quantity, price, fee, bindingCap, shortfall = null, excess = null } = fill;
  const figures = { quantity, price, fee, bindingCap, shortfall, excess };
  expect(previewed, trade).toMatchObject(figures);
  if (shortfall !== null || excess !== null) count("another size than requested");
}
