import { dollars, type MicroUsd, microUsd, roundUsd } from "@propgate/core";

/*
 * Money of figures that the network may not have sent. A result is null when an operand is unknown, or when the result
 * is too large to be exact in whole micro dollars.
 */

/** A figure that may be unknown: null when the network has not sent it. */
export type MaybeUnknown<Value> = Value | null;

/** The sum of the amounts; null when one of them is unknown, or when the sum is too large to be exact. */
export function sumUsd(amounts: readonly MaybeUnknown<MicroUsd>[]): MaybeUnknown<MicroUsd> {
  let sum = 0;
  for (const amount of amounts) {
    if (amount === null) return null;
    sum += amount;
  }
  return Number.isSafeInteger(sum) ? microUsd(sum) : null;
}

/**
 * The difference `from` minus `amount`; null when one of them is unknown, or when the difference is too large to be
 * exact.
 */
export function subtractUsd(
  from: MaybeUnknown<MicroUsd>,
  amount: MaybeUnknown<MicroUsd>,
): MaybeUnknown<MicroUsd> {
  if (from === null || amount === null) return null;
  const difference = from - amount;
  return Number.isSafeInteger(difference) ? microUsd(difference) : null;
}

/**
 * The product; null when a factor is unknown, or when the product is too large to be exact. Half a micro dollar is
 * rounded away from zero.
 */
export function multiplyUsd(
  amount: MaybeUnknown<MicroUsd>,
  factor: MaybeUnknown<number>,
): MaybeUnknown<MicroUsd> {
  if (amount === null || factor === null) return null;
  const product = dollars(amount) * factor;
  return Math.abs(product) < DOLLARS_MAX ? roundUsd(product) : null;
}

const DOLLARS_MAX = 9_000_000_000;

/** The amount without its sign; null when it is unknown. */
export function magnitudeUsd(amount: MaybeUnknown<MicroUsd>): MaybeUnknown<MicroUsd> {
  return amount === null ? null : microUsd(Math.abs(amount));
}

/** The amount, or 0 for a loss; null when it is unknown. */
export function gainUsd(amount: MaybeUnknown<MicroUsd>): MaybeUnknown<MicroUsd> {
  return amount === null ? null : microUsd(Math.max(0, amount));
}

/**
 * The amount in percent of `whole`; null when `amount` or `whole` is unknown, or `whole` is 0. Both are whole micro
 * dollars, so only the division rounds.
 */
export function percentOfUsd(
  amount: MaybeUnknown<MicroUsd>,
  whole: MaybeUnknown<MicroUsd>,
): MaybeUnknown<number> {
  return amount === null || whole === null || whole === 0 ? null : (amount * 100) / whole;
}
