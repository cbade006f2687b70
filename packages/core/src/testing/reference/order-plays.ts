/**
 * The steps of a short play on two pairs. Their prices have few levels, called rungs, so that one quote often reaches
 * several orders and legs. A step names orders and positions by a number, which is resolved when the step is carried
 * out.
 */
import fc from "fast-check";
import type { Direction } from "../../state/order.ts";
import type { LegSize, Size } from "../../state/requested-size.ts";
import { leverage, ratio, roundUsd } from "../../units.ts";

/**
 * A leg of a step. Distances are in rungs from the present price: the stop is on the losing side, the target on the
 * winning side.
 */
export interface LegPlay {
  readonly stop: number | null;
  readonly target: number | null;
  readonly trail: { readonly kind: "percent" | "value"; readonly rungs: number } | null;
  readonly size: LegSize | null;
}

/** A step that places a market, limit or stop-limit order. */
export interface EntryPlay {
  readonly do: "market" | "limit" | "stopLimit";
  readonly pair: number;
  readonly direction: Direction;
  readonly size: Size;
  /** The distance of the limit price from the present price, in rungs. */
  readonly rungs: number;
  readonly stopRungs: number;
  readonly legs: readonly LegPlay[];
  readonly isReduceOnly: boolean;
}

/** An edit that changes only the listed fields. */
export interface EditPlay {
  readonly do: "edit";
  readonly pick: number;
  readonly changes: readonly ("price" | "size" | "legs" | "trail" | "reduceOnly" | "direction")[];
  readonly rungs: number;
  readonly size: Size;
  readonly leg: LegPlay;
}

/** A step of a play. `pair`, `pick` and `picks` are the numbers of a pair and of orders or positions. */
export type PlayStep =
  | EntryPlay
  | EditPlay
  | { readonly do: "quote"; readonly pair: number; readonly rungs: number; readonly spread: number }
  | { readonly do: "settle" }
  | { readonly do: "bracket"; readonly pair: number; readonly legs: readonly LegPlay[] }
  | {
      readonly do: "cancel";
      readonly picks: readonly number[] | "all";
      readonly isPair: boolean;
      readonly hasGone: boolean;
    }
  | { readonly do: "flat"; readonly pair: number }
  | {
      readonly do: "flatten";
      readonly picks: readonly number[] | "all";
      readonly pair: number | null;
      readonly hasGone: boolean;
      /** The pair whose quote is made stale; null when none is. */
      readonly stalePair: number | null;
    };

const pairs = fc.constantFrom(0, 0, 0, 1);
const directions = fc.constantFrom<Direction>("long", "short");
const quantities = fc.constantFrom(0.1, 0.4, 0.5, 1, 2);

const sizes: fc.Arbitrary<Size> = fc.oneof(
  {
    weight: 8,
    arbitrary: quantities.map((lots): Size => ({ kind: "quantity", lots })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(0.000_001, 0.004, 0.000_15)
      .map((lots): Size => ({ kind: "quantity", lots })),
  },
  // A reduction of a common position by one of these sizes leaves less than the minimum position.
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(0.099_9, 0.399_9, 0.499_9, 0.999_9)
      .map((lots): Size => ({ kind: "quantity", lots })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(5, 9_999, 20_000, 50_005)
      .map((usd): Size => ({ kind: "value", value: roundUsd(usd) })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(0.000_000_1, 0.004, 0.2, 0.5)
      .map((times): Size => ({ kind: "leverage", leverage: leverage(times) })),
  },
);
const legSizes: fc.Arbitrary<LegSize | null> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(0.25, 0.5, 1, 0.000_001)
      .map((share): LegSize => ({ kind: "bracketPct", ratio: ratio(share) })),
  },
  { weight: 3, arbitrary: sizes },
);
/** Distances in rungs, mostly on the correct side, sometimes on the wrong side or exactly at the price. */
const arbitraryRungs = fc.option(
  fc.oneof(
    { weight: 15, arbitrary: fc.integer({ min: 1, max: 5 }) },
    { weight: 1, arbitrary: fc.integer({ min: -1, max: 0 }) },
  ),
  { nil: null },
);
const legs: fc.Arbitrary<LegPlay> = fc.record({
  stop: arbitraryRungs,
  target: arbitraryRungs,
  trail: fc.option(
    fc.record({
      kind: fc.constantFrom("percent" as const, "value" as const),
      // A distance of a hundred rungs equals the start price of the first pair. The smallest distance rounds to zero.
      rungs: fc.oneof(
        { weight: 20, arbitrary: fc.integer({ min: 1, max: 4 }) },
        { weight: 1, arbitrary: fc.constantFrom(1e-13, 80, 100, 120) },
      ),
    }),
    { nil: null, freq: 3 },
  ),
  size: legSizes,
});
/** Legs of equal shares that one quote or several reach. Their sizes are often between two steps of the grid. */
const arbitraryLadder: fc.Arbitrary<LegPlay[]> = fc
  .record({
    share: fc.constantFrom(0.05, 0.06, 0.333_333_333_333),
    count: fc.integer({ min: 2, max: 10 }),
    isStop: fc.boolean(),
  })
  .map(({ share, count, isStop }) =>
    Array.from({ length: count }, (_, index): LegPlay => {
      const away = 1 + (index % 3);
      const levels = isStop ? { stop: away, target: null } : { stop: null, target: away };
      return { ...levels, trail: null, size: { kind: "bracketPct", ratio: ratio(share) } };
    }),
  );
const legLists = fc.oneof(
  { weight: 2, arbitrary: arbitraryLadder },
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 5, arbitrary: fc.array(legs, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(legs, { minLength: 6, maxLength: 10, size: "max" }) },
);
const picks = fc.oneof(
  { weight: 1, arbitrary: fc.constant("all" as const) },
  { weight: 3, arbitrary: fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 3 }) },
);
const rarely = fc.nat({ max: 3 }).map((one) => one === 0);

const arbitraryEntry: fc.Arbitrary<PlayStep> = fc.record({
  do: fc.constantFrom("market" as const, "market" as const, "limit" as const, "stopLimit" as const),
  pair: pairs,
  direction: directions,
  size: sizes,
  rungs: fc.integer({ min: -3, max: 3 }),
  stopRungs: fc.integer({ min: -3, max: 3 }),
  legs: legLists,
  isReduceOnly: fc.boolean(),
});
const arbitraryQuote: fc.Arbitrary<PlayStep> = fc.record({
  do: fc.constant("quote" as const),
  pair: pairs,
  rungs: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: -2, max: 2 }) },
    { weight: 1, arbitrary: fc.integer({ min: -6, max: 6 }) },
  ),
  spread: fc.constantFrom(0, 0, 0.000_1, 0.002),
});
const edits: fc.Arbitrary<PlayStep> = fc.record({
  do: fc.constant("edit" as const),
  pick: fc.nat({ max: 9 }),
  changes: fc.subarray(["price", "size", "legs", "trail", "reduceOnly", "direction"] as const, {
    maxLength: 2,
  }),
  rungs: fc.integer({ min: -3, max: 3 }),
  size: sizes,
  leg: legs,
});

/** Draws a step of a play. */
export const arbitraryPlayStep: fc.Arbitrary<PlayStep> = fc.oneof(
  { weight: 12, arbitrary: arbitraryEntry },
  { weight: 12, arbitrary: arbitraryQuote },
  { weight: 2, arbitrary: fc.constant({ do: "settle" as const }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("bracket" as const), pair: pairs, legs: legLists }),
  },
  { weight: 5, arbitrary: edits },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("cancel" as const),
      picks,
      isPair: fc.boolean(),
      hasGone: rarely,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("flat" as const), pair: pairs }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("flatten" as const),
      picks,
      pair: fc.option(pairs, { nil: null }),
      hasGone: rarely,
      stalePair: fc.option(pairs, { nil: null }),
    }),
  },
);
