import type { Instrument } from "../market/instrument.ts";
import { multiplesAround } from "../market/tick.ts";
import { ownPrices } from "../pending/entry-kinds.ts";
import type { EntryOrder, LegRequest } from "../state/order.ts";
import type { Refusal, SentPrice } from "../state/refusal.ts";

/** The prices that legs name, and their trailing distances in units of the price. */
export function sentPrices(legs: readonly LegRequest[]): readonly SentPrice[] {
  return legs.flatMap(({ stopLoss, takeProfit, trailing }, leg) => [
    ...toSentPrices("stopLoss", leg, stopLoss),
    ...toSentPrices("takeProfit", leg, takeProfit),
    ...toSentPrices("trailing", leg, trailing?.kind === "value" ? trailing.value : null),
  ]);
}

/** All prices that an entry names: its own prices and those of its legs. */
export function entrySentPrices(order: EntryOrder): readonly SentPrice[] {
  return [...ownPrices(order), ...sentPrices(order.legs)];
}

/**
 * The refusal of the first price that is not a multiple of the pair's step; null when there is none, or when the pair
 * has no step. A price that the order had in the same field before an edit is accepted, so an order from before a
 * change of the step can still be edited.
 * @rule D6.priceStep decides
 */
export function priceStepRefusal(
  { id: pair, priceStep: step }: Instrument,
  prices: readonly SentPrice[],
  before: readonly SentPrice[] = [],
): Refusal | null {
  if (step === null) return null;
  for (const one of prices) {
    const around = multiplesAround(step, one.price);
    if (around === null) continue;
    const isKept = before.some(({ field, price }) => field === one.field && price === one.price);
    if (!isKept) return { code: "priceOffTick", pair, step, ...one, ...around };
  }
  return null;
}

function toSentPrices(
  field: SentPrice["field"],
  leg: number | null,
  price: number | null,
): readonly SentPrice[] {
  return price === null ? [] : [{ field, leg, price }];
}
