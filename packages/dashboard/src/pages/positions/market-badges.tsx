import type { MarketView } from "@propgate/contract";
import { useNow } from "../../clock.tsx";
import { agoText } from "../../format/times.ts";
import { useHasMarkets } from "../../live/account-live.tsx";
import { Badge } from "../../parts/notice.tsx";

/**
 * Shows that a pair has no price yet, that its market is closed, or that its price is stale. Empty in every other case,
 * and for an account at a validator.
 */
export function MarketBadges({ market }: { readonly market: MarketView | undefined }) {
  if (!useHasMarkets()) return null;
  if (market === undefined || market.quote === null) return <Badge kind="warn">no price yet</Badge>;
  return (
    <>
      {!market.isOpen && <Badge kind="notice">market closed</Badge>}
      {market.isStale && market.isOpen && <StaleBadge atMs={market.quote.atMs} />}
    </>
  );
}

function StaleBadge({ atMs }: { readonly atMs: number }) {
  return <Badge kind="warn">stale price, {agoText(atMs, useNow())}</Badge>;
}

export function SideBadge({ side }: { readonly side: "LONG" | "SHORT" }) {
  return (
    <span className={`text-xs font-semibold ${side === "LONG" ? "text-gain" : "text-loss"}`}>
      <span aria-hidden="true">{side === "LONG" ? "\u2191" : "\u2193"} </span>
      {side}
    </span>
  );
}
