import {
  dollars,
  type MicroUsd,
  type Price,
  price,
  type Ratio,
  ratio,
  roundToTwelveDigits,
} from "../units.ts";
import type { Instrument } from "./instrument.ts";

const MILLION = 1_000_000;

/** The slippage of a market fill of this value, as a fraction of the quote. @rule D5.market */
export function slippageOf(instrument: Pick<Instrument, "slippage">, value: MicroUsd): Ratio {
  const model = instrument.slippage;
  switch (model.kind) {
    case "none":
      return ratio(0);
    case "linear": {
      if (value <= model.freeUpTo) return ratio(0);
      return ratio(Math.min(model.most, (dollars(value) / MILLION) * model.perMillion));
    }
  }
}

/** The price after slippage, which is always against the trader: a buyer pays more, a seller gets less. */
export function slippedPrice(quoted: Price, side: "long" | "short", slippage: Ratio): Price {
  if (slippage === 0) return quoted;
  const moved = quoted * (side === "long" ? 1 + slippage : 1 - slippage);
  return price(roundToTwelveDigits(moved));
}
