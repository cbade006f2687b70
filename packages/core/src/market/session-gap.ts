import { type Ratio, ratio, statisticRatio, type UnixMs } from "../units.ts";
import type { AssetClass, Instrument } from "./instrument.ts";
import { midOf } from "./mark.ts";
import type { Quote } from "./quote.ts";
import { isOpenThroughout } from "./trading.ts";

/** The limits of instruments that have none of their own, as shares of the price. */
const SESSION_GAP_MAX: Readonly<Record<AssetClass, Ratio>> = {
  crypto: ratio(0.5),
  forex: ratio(0.1),
  indices: ratio(0.15),
  equities: ratio(0.3),
  commodities: ratio(0.25),
};

type Gauge = Pick<Instrument, "assetClass" | "session" | "sessionGapMax">;

/**
 * The distance between the last price of a session and the first of the next, as a share of the last, when it is beyond
 * the instrument's limit. Null for a plausible price, and within a session. `last` is in the scale of `next`, so a
 * corporate action explains its own gap. @rule D11.gap
 */
export function implausibleGap(
  last: Quote,
  next: Pick<Quote, "bid" | "ask"> & { readonly atMs: UnixMs },
  instrument: Gauge,
): Ratio | null {
  // The distance first: nearly every quote is near, and hours cost more to compute.
  const moved = implausibleMove(last, next, instrument);
  if (moved === null) return null;
  const isSameSession =
    next.atMs <= last.atMs || isOpenThroughout(instrument.session, last.atMs, next.atMs);
  return isSameSession ? null : moved;
}

/** The same distance within a session too. */
export function implausibleMove(
  last: Quote,
  next: Pick<Quote, "bid" | "ask">,
  { sessionGapMax, assetClass }: Gauge,
): Ratio | null {
  const before = midOf(last);
  // Nine decimals, so that a fall from 200 to 140 is exactly 0.3.
  const moved = statisticRatio(Math.abs(midOf(next) - before) / before);
  return moved <= (sessionGapMax ?? SESSION_GAP_MAX[assetClass]) ? null : moved;
}
