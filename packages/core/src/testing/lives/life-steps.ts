/**
 * The steps of a random life. A step names orders and positions by a number, which is resolved when the step is carried
 * out.
 */
import fc from "fast-check";
import type { SwitchAction } from "../../state/account.ts";
import type { Direction } from "../../state/order.ts";
import type { PayoutStatus } from "../../state/payout.ts";
import type { LegSize, Size } from "../../state/requested-size.ts";
import type { ProTerms } from "../../state/terms.ts";
import { leverage, ratio, roundUsd } from "../../units.ts";
import { arbitraryProTerms } from "./life-program.ts";

/** The ways in which a step moves the time. */
export const TIME_STEPS = [
  "seconds",
  "hours",
  "eightHours",
  "midnight",
  "beforeMidnight",
  "monday",
  "days",
  "months",
  "back",
] as const;
export type TimeLeap = (typeof TIME_STEPS)[number];

/** A leg of a step. Distances are fractions of the price; a negative one is on the wrong side of the price. */
export interface LegStep {
  readonly stop: number | null;
  readonly target: number | null;
  readonly trail: { readonly kind: "percent" | "value"; readonly share: number } | null;
  readonly size: LegSize | null;
}

/** Places a market, limit or stop-limit order. */
export interface EntryStep {
  readonly do: "market" | "limit" | "stopLimit";
  readonly pair: number;
  readonly direction: Direction;
  readonly size: Size;
  /** The distance of the order's price from the quote, as a fraction of the quote. */
  readonly at: number;
  readonly legs: readonly LegStep[];
  /** When true and a position is open, the order is against the position that `pair` selects. */
  readonly isExit: boolean;
  readonly reduceOnly: "never" | "exits" | "always";
  /** When true, one quote is not refreshed before the order: the rate of a cross, or else the quote of the pair. */
  readonly isStale: boolean;
}

/** Edits one of the pending orders. */
export interface EditStep {
  readonly do: "edit";
  readonly pick: number;
  readonly at: number;
  readonly size: Size;
  readonly leg: LegStep;
  /** The fields that the edit repeats unchanged. */
  readonly keeps: readonly ("price" | "size" | "legs" | "trail")[];
  readonly mistake: "none" | "pair" | "kind" | "id";
}

/** Records the state of the payment of one of the payouts. */
export interface PayStep {
  readonly do: "pay";
  readonly pick: number;
  readonly status: PayoutStatus;
  readonly rail: string | null;
  readonly reference: string | null;
}

/** Offers a pro account. */
export interface OfferStep {
  readonly do: "offerPro";
  readonly terms: ProTerms;
  /** The pro size as a multiple of the standard one. */
  readonly multiple: number;
}

/** A step of a life. `pair` and `pick` are the numbers of a pair and of an order, position or payout. */
export type LifeStep =
  | { readonly do: "quote"; readonly pair: number; readonly share: number }
  /** Moves the prices of all open positions in the trader's favor, or against the trader. */
  | { readonly do: "favour"; readonly share: number }
  | { readonly do: "loseQuote"; readonly pair: number }
  | { readonly do: "loseAllQuotes" }
  | { readonly do: "restoreQuotes" }
  | {
      readonly do: "time";
      readonly leap: TimeLeap;
      readonly by: number;
      /** When true, the step sends no command, so due work is done later. */
      readonly isSilent: boolean;
      /** When true, the pairs of the open positions are quoted at the new time. */
      readonly isQuoted: boolean;
    }
  | { readonly do: "settle" }
  | EntryStep
  | { readonly do: "bracket"; readonly pick: number; readonly legs: readonly LegStep[] }
  | EditStep
  | {
      readonly do: "cancel";
      /** `list` names a pending order and an unknown one. */
      readonly target: "all" | "pair" | "one" | "list" | "unknown";
      readonly pick: number;
    }
  | {
      readonly do: "flatten";
      readonly target: "all" | "pair" | "one" | "list" | "unknown";
      readonly pick: number;
    }
  | { readonly do: "flat"; readonly pick: number; readonly pair: number | null }
  /** Arms the dead man's switch; 0 seconds end it. */
  | { readonly do: "switch"; readonly seconds: number; readonly action: SwitchAction }
  | { readonly do: "promote" }
  | OfferStep
  | { readonly do: "eliminate" }
  | { readonly do: "close"; readonly forfeits: boolean }
  | { readonly do: "provision" }
  | { readonly do: "openAgain" }
  | PayStep;

const pick = fc.nat({ max: 11 });
const thousandths = (max: number): fc.Arbitrary<number> =>
  fc.integer({ min: -max, max }).map((share) => share / 1_000);
const wiggle = fc.integer({ min: -60, max: 60 }).map((share) => share / 20_000);

const sizes: fc.Arbitrary<Size> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .integer({ min: 1, max: 300 })
      .map((share): Size => ({ kind: "leverage", leverage: leverage(share / 100) })),
  },
  {
    weight: 3,
    arbitrary: fc
      .integer({ min: 5, max: 300_000 })
      .map((usd): Size => ({ kind: "value", value: roundUsd(usd) })),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(0.000_001, 0.01, 0.5, 3, 1_000_000_000)
      .map((lots): Size => ({ kind: "quantity", lots })),
  },
);
const legSizes: fc.Arbitrary<LegSize | null> = fc.oneof(
  fc.constant(null),
  sizes,
  fc.constantFrom(0.25, 0.5, 1).map((share): LegSize => {
    return { kind: "bracketPct", ratio: ratio(share) };
  }),
);
const distances = fc.option(
  fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 2, max: 50 }).map((share) => share / 1_000) },
    { weight: 1, arbitrary: fc.constant(-0.01) },
  ),
  { nil: null },
);
const legs: fc.Arbitrary<LegStep> = fc.record({
  stop: distances,
  target: distances,
  trail: fc.option(
    fc.record({
      kind: fc.constantFrom("percent" as const, "value" as const),
      share: fc.integer({ min: 2, max: 50 }).map((share) => share / 1_000),
    }),
    { nil: null },
  ),
  size: legSizes,
});

const arbitraryPriceStep: fc.Arbitrary<LifeStep> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ do: fc.constant("quote" as const), pair: pick, share: wiggle }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("quote" as const), pair: pick, share: thousandths(40) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("favour" as const),
      share: fc.integer({ min: -15, max: 25 }).map((share) => share / 10_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("favour" as const), share: gaps() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("settle" as const) }) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record({ do: fc.constant("loseQuote" as const), pair: pick }),
      fc.record({ do: fc.constantFrom("loseAllQuotes" as const, "restoreQuotes" as const) }),
      fc.record({ do: fc.constant("restoreQuotes" as const) }),
    ),
  },
);

function gaps(): fc.Arbitrary<number> {
  return fc.integer({ min: -120, max: 120 }).map((share) => share / 1_000);
}

const leaps: fc.Arbitrary<TimeLeap> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<TimeLeap>("seconds", "hours", "eightHours") },
  { weight: 8, arbitrary: fc.constantFrom<TimeLeap>("midnight", "midnight", "beforeMidnight") },
  { weight: 2, arbitrary: fc.constant<TimeLeap>("monday") },
  { weight: 2, arbitrary: fc.constantFrom<TimeLeap>("days", "days", "back") },
);
const arbitraryTimeStep: fc.Arbitrary<LifeStep> = fc.oneof(
  {
    weight: 150,
    arbitrary: fc.record({
      do: fc.constant("time" as const),
      leap: leaps,
      by: fc.integer({ min: 1, max: 12 }),
      isSilent: fc.constantFrom(false, false, false, true),
      isQuoted: fc.constantFrom(true, true, true, true, true, true, true, false),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("time" as const),
      leap: fc.constant("months" as const),
      by: fc.integer({ min: 1, max: 12 }),
      isSilent: fc.constant(false),
      isQuoted: fc.boolean(),
    }),
  },
);

const arbitraryOrderStep: fc.Arbitrary<LifeStep> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom("market" as const, "market" as const, "limit", "stopLimit"),
      pair: fc.nat({ max: 13 }),
      direction: fc.constantFrom<Direction>("long", "short"),
      size: sizes,
      at: thousandths(20),
      legs: fc.array(legs, { maxLength: 3 }),
      isExit: fc.nat({ max: 2 }).map((one) => one === 0),
      reduceOnly: fc.constantFrom("never", "never", "never", "exits", "exits", "always"),
      isStale: fc.integer({ min: 0, max: 24 }).map((one) => one === 24),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("bracket" as const),
      pick,
      legs: fc.array(legs, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("edit" as const),
      pick,
      at: thousandths(20),
      size: sizes,
      leg: legs,
      keeps: fc.subarray(["price", "size", "legs", "trail"] as const),
      mistake: fc.constantFrom("none", "none", "none", "none", "pair", "kind", "id"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("cancel" as const),
      target: fc.constantFrom("all", "pair", "one", "one", "list", "unknown"),
      pick,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("flatten" as const),
      target: fc.constantFrom("all", "pair", "one", "one", "list", "unknown"),
      pick,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("flat" as const),
      pick,
      pair: fc.option(fc.nat({ max: 13 }), { nil: null }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("switch" as const),
      seconds: fc.constantFrom(0, 1, 5, 60, 3_600, 86_400),
      action: fc.constantFrom<SwitchAction>("cancel", "flatten"),
    }),
  },
);

const arbitraryOperatorStep: fc.Arbitrary<LifeStep> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant("promote" as const) }) },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant("offerPro" as const),
      terms: arbitraryProTerms,
      multiple: fc.constantFrom(1.999, 2, 2, 3, 10),
    }),
  },
  {
    weight: 16,
    arbitrary: fc.record({
      do: fc.constant("pay" as const),
      pick,
      status: fc.constantFrom<PayoutStatus>("pending", "processing", "paid", "failed"),
      rail: fc.constantFrom(null, "bank"),
      reference: fc.constantFrom(null, "r1"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.record({ do: fc.constantFrom("eliminate" as const, "openAgain" as const) }),
      fc.record({ do: fc.constant("close" as const), forfeits: fc.boolean() }),
    ),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("provision" as const) }) },
);

/** Draws a step of a life. */
export const arbitraryStep: fc.Arbitrary<LifeStep> = fc.oneof(
  { weight: 40, arbitrary: arbitraryPriceStep },
  { weight: 30, arbitrary: arbitraryTimeStep },
  { weight: 34, arbitrary: arbitraryOrderStep },
  { weight: 8, arbitrary: arbitraryOperatorStep },
);
