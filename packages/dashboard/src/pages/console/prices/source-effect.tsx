import { type PriceEffectView, priceText } from "@propgate/contract";
import { UNKNOWN } from "../../../format/numbers.ts";
import { Facts } from "../../../parts/figure.tsx";
import { Notice } from "../../../parts/notice.tsx";

/** The effect of choosing a source: the prices before and after, their difference, and the affected accounts. */
export function SourceEffect({
  tick,
  effect,
}: {
  readonly tick: number;
  readonly effect: PriceEffectView;
}) {
  const { from, to, isFar, limitPct, holders, triggers, triggeredAccounts } = effect;
  const rows = [
    ["Price left", sidesText(from, tick)],
    ["Price taken", sidesText(to, tick)],
    ["Distance", distanceText(effect)],
    ["Accounts with a position", holders.toLocaleString("en-US")],
    [
      "Stops, targets and orders that act",
      `${triggers} in ${triggeredAccounts} ${triggeredAccounts === 1 ? "account" : "accounts"}`,
    ],
  ] as const;
  return (
    <>
      <Facts rows={rows} />
      {isFar && (
        <Notice kind="danger">
          The prices are further apart than the pair's limit of {limitPct} %. What the new price
          triggers cannot be undone.
        </Notice>
      )}
      {to === null && (
        <Notice kind="warn">
          The source has no fresh price now. Until it has one, orders are rejected.
        </Notice>
      )}
    </>
  );
}

function sidesText(price: PriceEffectView["from"], tick: number): string {
  if (price === null) return UNKNOWN;
  const sides = `${priceText(price.bid, { tick })} / ${priceText(price.ask, { tick })}`;
  return price.source === null ? sides : `${sides} (${price.source})`;
}

function distanceText({ distancePct }: PriceEffectView): string {
  if (distancePct === null) return UNKNOWN;
  return `${distancePct > 0 ? "+" : ""}${Number(distancePct.toPrecision(3))} %`;
}
