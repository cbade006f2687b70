import { isNear } from "./lane.ts";

/**
 * The fresh sources of a pair that are believed. `held`: they differ and no majority agrees, so none is believed.
 */
export type Agreement<Source> =
  | { readonly kind: "agreed"; readonly believed: readonly Source[] }
  | { readonly kind: "held" };

/**
 * Compares the middle prices of fresh sources. A source is believed when more than half of them, itself included, are
 * at most `share` of its price away. One source alone is believed. Two that differ hold the pair, because nothing
 * shows which of them is right.
 */
export function agreementOf<Source extends { readonly mid: number }>(
  sources: readonly Source[],
  share: number,
): Agreement<Source> {
  const believed = sources.filter(
    ({ mid }) =>
      sources.filter((other) => isNear(mid, other.mid, share)).length * 2 > sources.length,
  );
  return believed.length === 0 && sources.length > 0
    ? { kind: "held" }
    : { kind: "agreed", believed };
}
