/** The random steps in the test of many weeks. A step names its account by a number. */
import type { PairId } from "@propgate/core";
import fc from "fast-check";
import { AAPL, BTCUSD, type BtcusdTerms, EURGBP, GBPUSD } from "./weeks-market.ts";
import type { ModelPhase, ModelProTerms, ModelTerms } from "./weeks-terms.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const SIZE = 100_000_000_000;

export type WeeksAct =
  | { readonly do: "quote"; readonly pair: PairId; readonly permille: number }
  | { readonly do: "quoteAll"; readonly permille: number }
  /**
   * Moves the price of each pair in which the account has a position, by `permille` in its favor; against it when
   * negative.
   */
  | { readonly do: "favour"; readonly permille: number }
  | {
      readonly do: "open";
      readonly pair: PairId;
      readonly sign: 1 | -1;
      /** The value of the position as a share of the size. */
      readonly share: number;
      readonly stopPermille: number | null;
    }
  | { readonly do: "flat"; readonly pair: PairId }
  /** Opens a position, moves the price in its favour, and closes it. */
  | {
      readonly do: "earn";
      readonly pair: PairId;
      readonly sign: 1 | -1;
      readonly share: number;
      readonly permille: number;
    }
  | { readonly do: "place" }
  | { readonly do: "halt" | "lift"; readonly pair: PairId }
  /** `seen` is a phase that the account may have left, as in a retry or on an old page; null for the present phase. */
  | { readonly do: "promote"; readonly seen: ModelPhase | null }
  | { readonly do: "offerPro"; readonly seen: ModelPhase | null; readonly terms: ModelProTerms }
  | { readonly do: "close"; readonly isForfeited: boolean }
  | { readonly do: "eliminate" }
  | {
      readonly do: "split";
      readonly factor: 0.5 | 2 | 4;
      /** The time until the split takes effect; negative when that moment has passed. */
      readonly inMs: number;
      readonly isAgain: boolean;
    }
  | { readonly do: "stop"; readonly forMs: number; readonly catalogue: BtcusdTerms };

export interface WeeksStep {
  /**
   * The time that passes before the act, in milliseconds. `midnight` waits until shortly before the next 00:00 UTC, and
   * `shareHours` until five seconds after the time of the next day at which the share's market opens on weekdays.
   */
  readonly wait: number | "midnight" | "shareHours";
  readonly account: number;
  readonly act: WeeksAct;
  /** Whether the operator's act is sent once more, as after a lost answer. */
  readonly isRepeated: boolean;
}

const pair = fc.constantFrom(BTCUSD, BTCUSD, AAPL, EURGBP, GBPUSD);
const permille = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -9, max: 9 }) },
  { weight: 3, arbitrary: fc.integer({ min: -30, max: 30 }) },
  fc.integer({ min: -70, max: 70 }),
);
const seen = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  fc.constantFrom<ModelPhase>("challenge", "funded", "proTransition", "proChallengeDirect"),
);

export const arbitraryModelTerms: fc.Arbitrary<ModelTerms> = fc.record({
  size: fc.constant(SIZE),
  targetPct: fc.constantFrom(1, 2, 10),
  dailyPct: fc.constantFrom(3, 5, 5),
  challengeMaxPct: fc.constantFrom(5, 8),
  fundedMaxPct: fc.constantFrom(5, 8),
  isStatic: fc.boolean(),
  split: fc.constantFrom(1, 0.8, 0.9),
  idleMs: fc.constantFrom(60, 60, 9).map((days) => days * 24 * HOUR_MS),
});

const proTerms: fc.Arbitrary<ModelProTerms> = fc.record({
  size: fc.constantFrom(2 * SIZE, 4 * SIZE),
  dailyPct: fc.constantFrom(3, 5),
  fundedDailyPct: fc.constant(5),
  maxPct: fc.constant(8),
  split: fc.constantFrom(1, 0.8),
  scale: fc.constantFrom(1, 0.5),
  objectives: fc.record({
    returned: fc.constantFrom(0.000_5, 0.01),
    calmar: fc.constantFrom(0.001, 0.5, 1.75),
    consistency: fc.constantFrom(0.2, 0.9, 1),
    days: fc.constantFrom(1, 2, 4),
    countedGain: fc.constant(0.015),
    leastDrawdown: fc.constant(0.001),
  }),
});

const catalogue: fc.Arbitrary<BtcusdTerms> = fc.record({
  carryRate: fc.constantFrom(0.000_1, 0.000_3),
  feeRate: fc.constantFrom(0.000_3, 0.000_5),
  standing: fc.constantFrom("offered", "offered", "offered", "blocked", "retired"),
});

const outageMs = fc.oneof(
  fc.integer({ min: 3, max: 50 }).map((minutes) => minutes * MINUTE_MS),
  fc.integer({ min: 1, max: 80 }).map((hours) => hours * HOUR_MS),
);

const act: fc.Arbitrary<WeeksAct> = fc.oneof(
  { weight: 20, arbitrary: fc.record({ do: fc.constant("quote" as const), pair, permille }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant("quoteAll" as const), permille }) },
  {
    weight: 16,
    arbitrary: fc.record({
      do: fc.constant("favour" as const),
      permille: fc.integer({ min: -6, max: 20 }),
    }),
  },
  {
    weight: 20,
    arbitrary: fc.record({
      do: fc.constant("open" as const),
      pair,
      sign: fc.constantFrom<1 | -1>(1, -1),
      share: fc.constantFrom(0.1, 0.3, 0.8, 1.5),
      stopPermille: fc.constantFrom(null, null, 5, 25),
    }),
  },
  { weight: 7, arbitrary: fc.record({ do: fc.constant("flat" as const), pair }) },
  {
    weight: 20,
    arbitrary: fc.record({
      do: fc.constant("earn" as const),
      pair,
      sign: fc.constantFrom<1 | -1>(1, -1),
      share: fc.constantFrom(0.3, 0.8),
      permille: fc.integer({ min: -5, max: 14 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: "place" } as const) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("halt" as const), pair }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom("lift" as const), pair }) },
  { weight: 7, arbitrary: fc.record({ do: fc.constant("promote" as const), seen }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("offerPro" as const), seen, terms: proTerms }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("close" as const), isForfeited: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "eliminate" } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("split" as const),
      factor: fc.constantFrom<0.5 | 2 | 4>(0.5, 2, 4),
      inMs: fc.constantFrom(-20, -3, 5, 15, 3_600, 40_000).map((seconds) => seconds * SECOND_MS),
      isAgain: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("stop" as const),
      forMs: outageMs,
      catalogue,
    }),
  },
);

const wait = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 50 }).map((seconds) => seconds * SECOND_MS) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 30 }).map((minutes) => minutes * MINUTE_MS) },
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 14 }).map((hours) => hours * HOUR_MS) },
  { weight: 3, arbitrary: fc.constant("midnight" as const) },
  { weight: 3, arbitrary: fc.constant("shareHours" as const) },
);

export const arbitraryWeeksSteps: fc.Arbitrary<readonly WeeksStep[]> = fc.array(
  fc.record({
    wait,
    account: fc.nat({ max: 3 }),
    act,
    isRepeated: fc.constantFrom(false, false, true),
  }),
  { minLength: 60, maxLength: 120, size: "max" },
);
