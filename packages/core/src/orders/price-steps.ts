import type { Instrument } from "../market/instrument.ts";
import { multiplesAround } from "../market/tick.ts";
import { ownPrices } from "../pending/entry-kinds.ts";
import type { EntryOrder, LegRequest } from "../state/order.ts";
import type { Refusal, SentPrice } from "../state/refusal.ts";

/** The prices that legs name. */
export function sentPrices(legs: readonly LegRequest[]): readonly SentPrice[] {
  return legs.flatMap(({ stopLoss, takeProfit, trailing }, leg) => [
    ...sent("stopLoss", leg, stopLoss),
    ...sent("takeProfit", leg, takeProfit),
    ...sent("trailing", leg, trailing?.kind === "value" ? trailing.value : null),
  ]);
}

/** All prices that an entry names: its own and those of its legs. */
export function entrySentPrices(order: EntryOrder): readonly SentPrice[] {
  return [...ownPrices(order), ...sentPrices(order.legs)];
}

/**
 * Null when each price is a multiple of the pair's step. An edit may send a price of the order again,
 * so an order that was placed before the step changed stays editable. @rule D6.priceStep decides
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

function sent(
  field: SentPrice["field"],
  leg: number | null,
  price: number | null,
): readonly SentPrice[] {
  return price === null ? [] : [{ field, leg, price }];
}
