import type {
  AccountClass,
  FormerCarry,
  Instrument,
  Instruments,
  PairId,
  UnixMs,
} from "@propgate/core";

/** Why accounts that hold a pair cannot continue with a new catalogue. */
export interface PairDifference {
  /** The difference in words, such as `lotSize was 100000 and is 10000`. */
  readonly problem: string;
  /** Whether the difference prevents accounts of this class from continuing. */
  readonly concerns: (accountClass: AccountClass) => boolean;
}

/** The fields that determine what a lot is worth. A change of one would change the value of open positions. */
const VALUED_BY = [
  "lotSize",
  "base",
  "quote",
  "quoteIsUsd",
] as const satisfies readonly (keyof Instrument)[];

/**
 * The pairs of the former catalogue whose holders cannot continue with the present one, with the difference.
 * @rule D13.startCompares decides
 */
export function differencesForHolders(
  former: Instruments,
  present: Instruments,
): ReadonlyMap<PairId, PairDifference> {
  const found = [...former.values()].flatMap((before) => {
    const difference = differenceOf(before, present.get(before.id));
    return difference === null ? [] : [[before.id, difference] as const];
  });
  return new Map(found);
}

/** The difference of a held pair that is not in the present catalogue. */
export const ABSENT: PairDifference = { problem: "is not in the catalogue", concerns: () => true };

/** The difference of one instrument that concerns its holders; null when there is none. */
function differenceOf(before: Instrument, now: Instrument | undefined): PairDifference | null {
  if (now === undefined) return ABSENT;
  const changed = VALUED_BY.filter((field) => before[field] !== now[field]);
  if (changed.length > 0) {
    const problem = changed.map((field) => `${field} was ${before[field]} and is ${now[field]}`);
    return { problem: problem.join(", "), concerns: () => true };
  }
  if (before.assetClass === now.assetClass) return null;
  return {
    problem: `class was ${before.assetClass} and is ${now.assetClass}, in which they may not trade`,
    concerns: (accountClass) => accountClass !== "allMarkets" && accountClass !== now.assetClass,
  };
}

/**
 * The present catalogue with the earlier carries of each instrument. When the carry or the borrow rate of an instrument
 * has changed, the former ones are added to its earlier carries, and end at `now`. @rule D13.formerCarry
 */
export function withFormerCarry(
  former: Instruments,
  present: Instruments,
  now: UnixMs,
): Instruments {
  const joined = [...present].map(([pair, instrument]) => {
    const before = former.get(pair);
    if (before === undefined) return [pair, instrument] as const;
    const earlier = before.formerCarry ?? [];
    const formerCarry = hasSameCarry(before, instrument)
      ? earlier
      : [...earlier, { ...carryOf(before), untilMs: now }];
    return [pair, formerCarry.length === 0 ? instrument : { ...instrument, formerCarry }] as const;
  });
  return new Map(joined);
}

type Carry = Omit<FormerCarry, "untilMs">;

function carryOf({ carry, borrowRate }: Carry): Carry {
  return borrowRate === undefined ? { carry } : { carry, borrowRate };
}

function hasSameCarry(one: Carry, other: Carry): boolean {
  const textOf = ({ carry, borrowRate }: Carry): string => {
    const isCostOnly = carry.kind === "everyHour" && carry.isCostOnly === true;
    const rate = carry.kind === "none" ? null : carry.rate;
    return JSON.stringify([carry.kind, rate, isCostOnly, borrowRate ?? null]);
  };
  return textOf(one) === textOf(other);
}
