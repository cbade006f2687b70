import { isNear } from "./pair-source.ts";

/**
 * Tells which of a pair's fresh sources are believed. `held` means that they differ without a majority, so none is
 * believed.
 */
export type Agreement<Source> =
  | { readonly kind: "agreed"; readonly believed: readonly Source[] }
  | { readonly kind: "held" };

/**
 * Compares the middle prices of fresh sources. A source is believed when its price differs by at most `share` from the
 * prices of more than half of them, itself included; the share is of the higher of two prices. So a single source is
 * believed. Two that differ hold the pair, because it is unknown which of them is right.
 */
export function findAgreement<Source extends { readonly mid: number }>(
  sources: readonly Source[],
  share: number,
): Agreement<Source> {
  const believed = sources.filter(
    ({ mid }) =>
      sources.filter((other) => areNear(mid, other.mid, share)).length * 2 > sources.length,
  );
  return believed.length === 0 && sources.length > 0
    ? { kind: "held" }
    : { kind: "agreed", believed };
}

/**
 * Whether two prices differ by at most this share of the higher one. The result does not depend on their order, so at
 * the limit either both sources count as near each other or neither does.
 */
function areNear(one: number, other: number, share: number): boolean {
  return isNear(Math.min(one, other), Math.max(one, other), share);
}
