import { type PricePrecision, priceText, type TicksView } from "@propgate/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { getData } from "../api/call.ts";
import { UNKNOWN } from "../format/numbers.ts";
import { useHasMarkets } from "../live/account-live.tsx";
import { Figure } from "./figure.tsx";

/**
 * The tick of every pair. It is loaded once, because it changes only with the catalogue, which needs a restart of the
 * service.
 */
const ticksQuery = queryOptions({
  queryKey: ["ticks"],
  queryFn: ({ signal }) => getData<TicksView>("ticks", signal),
  staleTime: Number.POSITIVE_INFINITY,
});

/** A function that returns the tick of a pair. It returns null when the tick is unknown or not loaded yet. */
export function useTickOf(): (pair: string) => number | null {
  const hasMarkets = useHasMarkets();
  const ticks = useQuery(ticksQuery).data;
  return (pair) => (hasMarkets ? (ticks?.[pair] ?? null) : null);
}

/**
 * A price as text, such as `46,679.16`, or `--` when it is unknown. A difference of two prices has a sign, such as
 * `+12.50`.
 */
function priceWords(
  value: number | null | undefined,
  { isMove = false, ...step }: PricePrecision & { readonly isMove?: boolean },
): string {
  if (value === null || value === undefined) return UNKNOWN;
  const text = priceText(Math.abs(value), step);
  if (!/[1-9]/.test(text)) return text;
  if (value < 0) return `\u2212${text}`;
  return isMove ? `+${text}` : text;
}

interface PriceProps {
  readonly pair: string;
  readonly value: number | null | undefined;
  readonly field?: string;
  /** True for the price of an order, which may be finer than the tick. */
  readonly isSent?: boolean;
  /** True for a difference of two prices, which has a sign. */
  readonly isMove?: boolean;
}

/** A price with the decimals of its pair's tick. Hovering shows the exact value. */
export function Price({ pair, value, field, isSent = false, isMove = false }: PriceProps) {
  const tick = useTickOf()(pair);
  return (
    <Figure
      value={value}
      as={(price) => priceWords(price, { tick, isSent, isMove })}
      {...(field === undefined ? {} : { field })}
    />
  );
}
