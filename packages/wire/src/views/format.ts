import { decimalsOf, fixedText } from "@propgate/contract";
import { dollars, type MicroUsd } from "@propgate/core";

/* The one display form of each kind of value. @rule D3.formats decides */

const MICRO_PER_CENT = 10_000;
const MINUTE_MS = 60_000;
const MINUTES_PER_HOUR = 60;
const UNKNOWN = "--";

/** An amount in USD as text, to the cent: `$1,234.56`, `-$0.50`. */
export function moneyText(amount: MicroUsd): string {
  const cents = Math.round(Math.abs(amount) / MICRO_PER_CENT);
  const sign = amount < 0 && cents > 0 ? "-" : "";
  return `${sign}$${groupedNumber(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, "0")}`;
}

/** A size as text: `$100,000`; cents are shown only when they are not zero. */
export function sizeText(amount: MicroUsd): string {
  return Number.isInteger(dollars(amount))
    ? `$${groupedNumber(dollars(amount))}`
    : moneyText(amount);
}

/** The size in an account's title: `$100K`, `$2.5K`, `$1M`. @rule D3.title */
export function shortSizeText(amount: MicroUsd): string {
  const usd = dollars(amount);
  if (usd >= 1_000_000) return `$${usd / 1_000_000}M`;
  return usd >= 1000 ? `$${usd / 1000}K` : `$${usd}`;
}

/**
 * A price with at least 2 decimals, and at least those of the pair's tick. Further decimals that are not 0 are shown up
 * to 5 for a price below 1, 4 below 100, and 2 from 100 on. `tick` is null when it is unknown.
 * @rule D13.tickShown decides
 */
export function priceText(value: number, tick: number | null): string {
  const size = Math.abs(value);
  const decimalsMin = Math.max(2, decimalsOf(tick ?? 0));
  const decimalsMax = Math.max(decimalsMin, size < 1 ? 5 : size < 100 ? 4 : 2);
  const [whole = "0", decimals = ""] = fixedText(value, decimalsMax).split(".");
  return `${whole}.${decimals.replace(/0+$/, "").padEnd(decimalsMin, "0")}`;
}

/** A count with its noun: `1 order`, `2 orders`. */
export function countText(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** A leverage as text, with two decimals: `0.55x`. */
export function leverageText(value: number): string {
  return `${fixedText(value, 2)}x`;
}

/** A cap as text, without rounding: `10x`, `2.5x`. */
export function capText(value: number): string {
  return `${value}x`;
}

/** The present and the maximum leverage of an account as text: `Current - 0.0000x / Max - 10x`. */
export function accountLeverageText(current: number, max: number): string {
  return `Current - ${fixedText(current, 4)}x / Max - ${capText(max)}`;
}

/** A duration as text: `5h 07m`; `--` when it is unknown. */
export function durationText(ms: number | null): string {
  if (ms === null) return UNKNOWN;
  const minutes = Math.floor(ms / MINUTE_MS);
  const rest = String(minutes % MINUTES_PER_HOUR).padStart(2, "0");
  return `${Math.floor(minutes / MINUTES_PER_HOUR)}h ${rest}m`;
}

/** A share of one as a percent: `100%`, `87.5%`. */
export function percentText(share: number): string {
  return `${roundedPercent(share)}%`;
}

/** A ratio as a percent, rounded to nine decimals of the ratio against binary noise. */
export function roundedPercent(share: number): number {
  return Math.round(share * 1e9) / 1e7;
}

function groupedNumber(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ",");
}
