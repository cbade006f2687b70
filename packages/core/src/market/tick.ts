import { type Price, price, roundToTwelveDigits } from "../units.ts";
import type { Instrument } from "./instrument.ts";

/** The nearest multiple of the pair's tick, at least one tick. @rule D6.ticks */
export function roundToTick(instrument: Pick<Instrument, "tick">, value: number): Price {
  const ticks = Math.max(1, Math.round(roundToTwelveDigits(value / instrument.tick)));
  return price(multipleOf(instrument.tick, ticks));
}

/** The multiples of a step on both sides of a value that is not a multiple; `below` is null where it would be 0. */
export interface AdjacentMultiples {
  readonly below: Price | null;
  readonly above: Price;
}

/**
 * The multiples of the step beside the value; null when the value is a multiple itself. The value and its nearest
 * multiple are compared with twelve digits, as answers show them, so 0.1 + 0.2 is a multiple of 0.01.
 * @rule D6.priceStep
 */
export function multiplesAround(step: Price, value: number): AdjacentMultiples | null {
  const nearest = Math.round(value / step);
  if (nearest > 0 && multipleOf(step, nearest) === roundToTwelveDigits(value)) return null;
  const steps = Math.floor(value / step);
  return {
    below: steps === 0 ? null : price(multipleOf(step, steps)),
    above: price(multipleOf(step, steps + 1)),
  };
}

function multipleOf(step: Price, steps: number): number {
  return roundToTwelveDigits(steps * step);
}
