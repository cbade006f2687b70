import type { Instrument } from "../market/instrument.ts";
import { multiplesAround } from "../market/tick.ts";
import type { LegRequest } from "../state/order.ts";
import type { Refusal, SentPrice } from "../state/refusal.ts";
import type { Price } from "../units.ts";

/** The prices that an order names itself: its own and those of its legs. */
export function sentPrices(order: {
  readonly limitPrice?: Price;
  readonly stopPrice?: Price;
  readonly legs: readonly LegRequest[];
}): readonly SentPrice[] {
  return [
    ...sent("limitPrice", null, order.limitPrice),
    ...sent("stopPrice", null, order.stopPrice),
    ...order.legs.flatMap(({ stopLoss, takeProfit, trailing }, leg) => [
      ...sent("stopLoss", leg, stopLoss),
      ...sent("takeProfit", leg, takeProfit),
      ...sent("trailing", leg, trailing?.kind === "value" ? trailing.value : null),
    ]),
  ];
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
  price: number | null | undefined,
): readonly SentPrice[] {
  return price === null || price === undefined ? [] : [{ field, leg, price }];
}
