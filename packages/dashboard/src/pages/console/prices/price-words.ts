import type { PriceLine, PriceState, SourcePrice } from "@propgate/contract";
import { UNKNOWN } from "../../../format/numbers.ts";

/** The colour of each price state. */
export const STATE_KINDS = {
  live: "ok",
  last: "notice",
  closed: "notice",
  missing: "danger",
  held: "warn",
  unpriced: "danger",
  halted: "danger",
} as const satisfies Readonly<Record<PriceState, "ok" | "notice" | "warn" | "danger">>;

/** A length of time in one unit: `250 ms`, `4.2 s`, `12 min`, `3 h`. */
export function shortTimeText(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return UNKNOWN;
  // A time that would be rounded up to a whole unit is shown in the larger unit.
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < 60_000) return "1 min";
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`;
  return `${Math.floor(ms / 3_600_000)} h`;
}

/** An operator's choice in words: `use kraken` or `halt`; `auto` when there is no choice. */
export function choiceText(
  choice: { readonly kind: PriceLine["choiceKind"]; readonly source: string | null } | null,
): string {
  if (choice === null) return "auto";
  return choice.kind === "use" ? `use ${choice.source ?? UNKNOWN}` : choice.kind;
}

/**
 * True when the pair's prices need attention. A blocked pair without holders never does, because no account needs its
 * prices.
 */
export function hasProblem({ state, isBlocked, holders }: PriceLine): boolean {
  return state !== "live" && state !== "closed" && (!isBlocked || holders > 0);
}

/** The counts of rejected quotes in words: `3 outlier, 1 late`; `none` when there are none. */
export function rejectedText({ rejected }: Pick<SourcePrice, "rejected">): string {
  const parts = Object.entries(rejected)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${count.toLocaleString("en-US")} ${reason}`);
  return parts.length === 0 ? "none" : parts.join(", ");
}

/**
 * Lines through the prices, each as the `points` of an SVG polyline. x goes from 0 to `width`, y from `height` (lowest
 * price) to 0. A null price ends a line, and the next price begins a new one. When all prices are equal, y is half the
 * height.
 */
export function sparkLines(
  prices: readonly (number | null)[],
  { width, height }: { readonly width: number; readonly height: number },
): readonly string[] {
  const known = prices.filter((price) => price !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const y = (price: number): number =>
    high === low ? height / 2 : height - ((price - low) / (high - low)) * height;
  const x = (index: number): number => (index / Math.max(1, prices.length - 1)) * width;
  const lines: string[][] = [[]];
  for (const [index, price] of prices.entries()) {
    if (price === null) lines.push([]);
    else lines.at(-1)?.push(`${x(index).toFixed(1)},${y(price).toFixed(1)}`);
  }
  return lines.filter((points) => points.length > 0).map((points) => points.join(" "));
}
