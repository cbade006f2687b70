import type { Instrument } from "../market/instrument.ts";
import { markOf } from "../market/mark.ts";
import type { Quote } from "../market/quote.ts";
import { usdRateAt } from "../market/valuation.ts";
import type { Result } from "../result.ts";
import type { Draft } from "../state/draft.ts";
import type { LegRequest } from "../state/order.ts";
import type { Position } from "../state/position.ts";
import type { Refusal } from "../state/refusal.ts";
import type { LegSize } from "../state/requested-size.ts";
import { lots, type Quantity } from "../units.ts";
import { type SizeRequest, sizeOnGrid } from "./sizing.ts";

/** The price at which a leg's size is computed, and the quantity of which the size may be a share. */
export interface LegSizeBasis extends Omit<SizeRequest, "size"> {
  /** The quantity of which a `bracketPct` is a share. */
  readonly whole: Quantity;
}

/** A leg's size on the grid; refused when it rounds to zero. @rule D5.legs */
function sizeOfLeg(draft: Draft, size: LegSize, basis: LegSizeBasis): Result<Quantity, Refusal> {
  return sizeOnGrid(draft, legSizeRequest(size, basis));
}

/** The request for a leg's size. A `bracketPct` becomes a quantity: the share of `whole`. */
export function legSizeRequest(size: LegSize, { whole, ...place }: LegSizeBasis): SizeRequest {
  const requested: SizeRequest["size"] =
    size.kind === "bracketPct" ? { kind: "quantity", lots: lots(whole) * size.ratio } : size;
  return { ...place, size: requested };
}

/**
 * Refuses the first leg whose size rounds to zero, as a MARKET order of that size is refused; null when there is none.
 * @rule D10.legNeverMore
 */
export function legSizesRefusal(
  draft: Draft,
  legs: readonly LegRequest[],
  place: LegSizeBasis,
): Refusal | null {
  for (const [index, { size }] of legs.entries()) {
    const sized = size === null ? null : sizeOfLeg(draft, size, place);
    if (sized === null || sized.ok) continue;
    const { refusal } = sized;
    return refusal.code === "sizeBelowGrid" ? { ...refusal, leg: index } : refusal;
  }
  return null;
}

/** `legSizesRefusal` for legs of an open position, at its mark. Also refused without a rate to USD. */
export function openLegSizesRefusal(
  draft: Draft,
  legs: readonly LegRequest[],
  open: {
    readonly instrument: Instrument;
    readonly quote: Quote;
    readonly position: Pick<Position, "direction" | "quantity">;
  },
): Refusal | null {
  const { instrument, quote, position } = open;
  const price = markOf(position.direction, quote);
  const usdRate = usdRateAt(instrument, price, draft.moment);
  if (usdRate === null) return { code: "noConversionRate", currency: instrument.quote };
  return legSizesRefusal(draft, legs, { instrument, price, usdRate, whole: position.quantity });
}
