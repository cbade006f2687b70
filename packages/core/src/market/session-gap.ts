import { type Ratio, ratio, statisticRatio, type UnixMs } from "../units.ts";
import type { AssetClass, Instrument } from "./instrument.ts";
import { midOf } from "./mark.ts";
import type { Quote } from "./quote.ts";
import { isOpenThroughout } from "./trading.ts";

/**
 * The largest plausible move between two sessions, as a fraction of the price, for instruments without a limit of their
 * own.
 */
const SESSION_GAP_MAX: Readonly<Record<AssetClass, Ratio>> = {
  crypto: ratio(0.5),
  forex: ratio(0.1),
  indices: ratio(0.15),
  equities: ratio(0.3),
  commodities: ratio(0.25),
};

type GapInstrument = Pick<Instrument, "assetClass" | "session" | "sessionGapMax">;

/**
 * The distance between the last price of a session and the first price of the next session, as a fraction of the last
 * price, when it exceeds the instrument's limit. Null for a smaller distance, for two prices of one session, and for a
 * `next` that is not newer. `last` has to be in the scale of `next`, so that a corporate action is not taken for a gap.
 * @rule D11.gap
 */
export function implausibleGap(
  last: Quote,
  next: Pick<Quote, "bid" | "ask"> & { readonly atMs: UnixMs },
  instrument: GapInstrument,
): Ratio | null {
  // The distance is checked first, because few quotes exceed the limit and the market's hours take longer to compute.
  const moved = implausibleMove(last, next, instrument);
  if (moved === null) return null;
  const isSameSession =
    next.atMs <= last.atMs || isOpenThroughout(instrument.session, last.atMs, next.atMs);
  return isSameSession ? null : moved;
}

/**
 * The distance between two prices as a fraction of the first, when it exceeds the instrument's limit; null otherwise.
 * Sessions do not matter here: the two prices may be of one session or of two.
 */
export function implausibleMove(
  last: Quote,
  next: Pick<Quote, "bid" | "ask">,
  { sessionGapMax, assetClass }: GapInstrument,
): Ratio | null {
  const before = midOf(last);
  // Nine decimals, so that a fall from 200 to 140 is exactly 0.3.
  const moved = statisticRatio(Math.abs(midOf(next) - before) / before);
  return moved <= (sessionGapMax ?? SESSION_GAP_MAX[assetClass]) ? null : moved;
}
