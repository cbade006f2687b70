import { invariantError } from "./assert.ts";
import type { Brand } from "./brand.ts";

/** A time: whole milliseconds since 1970-01-01 00:00 UTC. */
export type UnixMs = Brand<number, "UnixMs">;

/**
 * An amount of money in units of 0.000001 USD, always whole. Sums and differences up to 2^53 units are exact. A
 * multiplication rounds once, half away from zero (see `roundUsd`).
 */
export type MicroUsd = Brand<number, "MicroUsd">;

/** A price in the pair's quote currency for one unit of its base. A decimal, never zero. */
export type Price = Brand<number, "Price">;

/**
 * A size in units of 0.00001 lots, always whole. This unit is the finest grid of any instrument. A size has no sign,
 * unless its field is described as signed.
 */
export type Quantity = Brand<number, "Quantity">;

/** A multiple of the balance: 1.5 means one and a half times the balance. */
export type Leverage = Brand<number, "Leverage">;

/** A fraction of one: 0.06 means 6 %. */
export type Ratio = Brand<number, "Ratio">;

/** A plain percent: 5.2 means 5.2 %. */
export type Percent = Brand<number, "Percent">;

const MICRO_PER_USD = 1_000_000;
const MICRO_USD_MAX = Number.MAX_SAFE_INTEGER;
/** The units of a `Quantity` in one lot. */
export const QUANTITY_PER_LOT = 100_000;

/** Makes a time from Unix milliseconds. Throws for a number that is not whole. */
export function unixMs(value: number): UnixMs {
  if (!Number.isSafeInteger(value))
    throw invariantError(`a time in whole milliseconds, not ${value}`);
  return value as UnixMs;
}

/**
 * Makes an amount from a whole number of units of 0.000001 USD. A number beyond 2^53 becomes the nearest exact amount
 * and no error: a price from the market, a file or an operator may lead to such a number, and no request or job may
 * fail because of it. Throws for a number that is not whole. @rule D10.largestAmount decides
 */
export function microUsd(value: number): MicroUsd {
  if (Number.isSafeInteger(value)) return (value + 0) as MicroUsd;
  if (value >= MICRO_USD_MAX) return MICRO_USD_MAX as MicroUsd;
  if (value <= -MICRO_USD_MAX) return -MICRO_USD_MAX as MicroUsd;
  throw invariantError(`an amount in whole micro dollars, not ${value}`);
}

/** The lowest amount of money that is exact. */
export const MICRO_USD_MIN: MicroUsd = microUsd(-MICRO_USD_MAX);

/**
 * Makes an amount from dollars, rounded to 0.000001 USD, half away from zero. When `dollars` is the difference of two
 * larger amounts, `largest` is the larger of the two, because it determines the floating-point error of the difference.
 */
export function roundUsd(dollars: number, largest: number = dollars): MicroUsd {
  return roundMicroUsd(dollars * MICRO_PER_USD, largest * MICRO_PER_USD);
}

/** The floating-point error of a product of a few decimal numbers is less than this fraction of the product. */
const PRODUCT_NOISE = 2 ** -50;
const PRODUCT_NOISE_MAX = 1 / 8;

/**
 * Makes an amount from a computed number of units of 0.000001 USD: the nearest whole number, half away from zero. A
 * number that floating-point arithmetic has left a little below an exact half is rounded as that half. The exact
 * product 0.39977 × (50,092.35 − 50,002.5) is 35.9193345, so it rounds up.
 */
export function roundMicroUsd(micro: number, largest: number = micro): MicroUsd {
  const size = Math.abs(micro);
  const floor = Math.floor(size);
  const noise = Math.min(Math.abs(largest) * PRODUCT_NOISE, PRODUCT_NOISE_MAX);
  const whole = size - floor + noise < 0.5 ? floor : floor + 1;
  return microUsd(micro < 0 ? -whole : whole);
}

/** Converts to dollars, for answers and ratios. */
export function dollars(amount: MicroUsd): number {
  return amount / MICRO_PER_USD;
}

/** The sum of the amounts. */
export function addUsd(...amounts: readonly MicroUsd[]): MicroUsd {
  let sum = 0;
  for (const amount of amounts) sum += amount;
  return microUsd(sum);
}

/** The difference of two amounts: `from` minus `amount`. */
export function subtractUsd(from: MicroUsd, amount: MicroUsd): MicroUsd {
  return microUsd(from - amount);
}

/** The highest of the known amounts; null when none is known. */
export function highestUsd(amounts: readonly (MicroUsd | null)[]): MicroUsd | null {
  let highest: MicroUsd | null = null;
  for (const amount of amounts) {
    if (amount !== null && (highest === null || amount > highest)) highest = amount;
  }
  return highest;
}

/**
 * The bounds of a price. Within them no figure of an account is infinite and no price becomes zero. Every market is far
 * within them.
 */
export const PRICE_MIN = 1e-100;
export const PRICE_MAX = 1e100;

/** Makes a price from a number above zero. Throws for any other number. */
export function price(value: number): Price {
  if (!(Number.isFinite(value) && value > 0))
    throw invariantError(`a price above zero, not ${value}`);
  return value as Price;
}

/** Makes a size from a whole number of units of 0.00001 lots, as stored. Throws for a number that is not whole. */
export function quantity(value: number): Quantity {
  if (!Number.isSafeInteger(value))
    throw invariantError(`a size in whole 0.00001 lots, not ${value}`);
  return (value + 0) as Quantity;
}

/** The largest size that is exact. */
export const QUANTITY_MAX: Quantity = quantity(Number.MAX_SAFE_INTEGER);

/** Makes a size that no balance depends on, such as a total. A value above the largest exact size becomes that size. */
export function clampQuantity(value: number): Quantity {
  return quantity(Math.min(value, QUANTITY_MAX));
}

/** Converts to lots, for answers and computations. */
export function lots(size: Quantity): number {
  return size / QUANTITY_PER_LOT;
}

/** Makes a leverage from a multiple of the balance. Throws for a number that is not finite. */
export function leverage(value: number): Leverage {
  if (!Number.isFinite(value)) throw invariantError(`a finite leverage, not ${value}`);
  return value as Leverage;
}

/** Value over balance; 0 when the balance is zero or below. @rule D4.leverage */
export function leverageOf(value: MicroUsd, balance: MicroUsd): Leverage {
  return leverage(balance > 0 ? value / balance : 0);
}

/** Makes a ratio from a fraction of one. Throws for a number that is not finite. */
export function ratio(value: number): Ratio {
  if (!Number.isFinite(value)) throw invariantError(`a finite ratio, not ${value}`);
  return value as Ratio;
}

/** Makes a percent from a plain percent: 5.2 is 5.2 %. Throws for a number that is not finite. */
export function percent(value: number): Percent {
  if (!Number.isFinite(value)) throw invariantError(`a finite percent, not ${value}`);
  return value as Percent;
}

/** Statistics are rounded to steps of one over this number. */
export const STATISTIC_STEPS = 1e9;

/** Rounds a ratio of the statistics to nine decimals, so that 0.0525 / 0.03 is 1.75. */
export function statisticRatio(value: number): Ratio {
  return ratio(Math.round(value * STATISTIC_STEPS) / STATISTIC_STEPS + 0);
}

/**
 * Rounds to twelve digits, the precision of answers. They are finer than every tick and remove the rounding error of a
 * calculation: 2 % below 110 is then exactly 107.8. @rule D10.noNoise
 */
export function roundToTwelveDigits(value: number): number {
  return Number(value.toPrecision(12));
}
