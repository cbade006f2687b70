import { roundPrice } from "@propgate/contract";
import type { TradingService } from "../trading/service.ts";
import { UNKNOWN_TEXT } from "./figures.ts";

/**
 * Writes a price with the digits of its pair's tick. With `origin` `sent` the price was sent by a trader and may have
 * more digits.
 */
export type PriceTexts = (
  pair: string,
  price: number | null | undefined,
  origin?: "sent",
) => string;

/** Prices with all their digits, for a list that has no pairs. */
export const WITHOUT_TICKS: PriceTexts = createPriceTexts(new Map());

/**
 * A function that reads the ticks once, when they are first needed. When that fails, prices keep all their digits, and
 * the next call reads the ticks again.
 */
export function createPriceReader({
  instruments,
}: Pick<TradingService, "instruments">): () => Promise<PriceTexts> {
  let read: Promise<PriceTexts> | null = null;
  return () =>
    (read ??= instruments().then(
      (items) => createPriceTexts(new Map(items.map(({ tradePair, tick }) => [tradePair, tick]))),
      () => {
        read = null;
        return WITHOUT_TICKS;
      },
    ));
}

function createPriceTexts(ticks: ReadonlyMap<string, number | null>): PriceTexts {
  return (pair, price, origin) =>
    price === null || price === undefined
      ? UNKNOWN_TEXT
      : roundPrice(price, {
          tick: ticks.get(pair) ?? null,
          isSent: origin === "sent",
        }).toLocaleString("en-US", { maximumFractionDigits: 12 });
}
