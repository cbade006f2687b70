import {
  type Account,
  type Linked,
  lossRuleLabel,
  type PendingOrder,
  type PositionItem,
} from "@propgate/contract";
import { hasStop, stopPriceOf } from "../pages/positions/leg-outlook.ts";
import type { LineStroke } from "../parts/chart/line-mark.tsx";

export type PriceLineKind = "entry" | "stop" | "target" | "breach";

/** A price that matters to a position, as a line of the chart. */
export interface PriceLine {
  readonly key: string;
  readonly kind: PriceLineKind;
  readonly name: string;
  readonly price: number;
  /** True for a price that the trader sent, which may be finer than the tick. */
  readonly isSent: boolean;
}

/** The entry, stops and targets of a position, and the prices at which a loss limit is breached. */
export function priceLines(
  position: PositionItem<Linked>,
  about: {
    readonly orders: readonly PendingOrder[];
    readonly account: Account<Linked> | null;
    /** How many positions the account has. A limit has a breach price only when the account has a single position. */
    readonly positions: number;
  },
): readonly PriceLine[] {
  const legs = about.orders.filter(({ positionUuid }) => positionUuid === position.positionUuid);
  const breaches = about.positions === 1 ? breachLines(about.account) : aloneLines(position);
  return [
    ...entryLines(position),
    ...legs.flatMap((leg) => legLines(leg, position, legs)),
    ...breaches,
  ];
}

/** The line of the entry; none when the network did not send the entry price. */
function entryLines({ averageEntryPrice: price }: PositionItem<Linked>): readonly PriceLine[] {
  if (price === null) return [];
  return [{ key: "entry", kind: "entry", name: "Entry", price, isSent: false }];
}

/** The line of the price at which this position would end the account while all other prices stay the same. */
function aloneLines({ breachPriceAlone: price }: PositionItem<Linked>): readonly PriceLine[] {
  if (price === null) return [];
  const name = "Breach: if other prices stay the same";
  return [{ key: "breach alone", kind: "breach", name, price, isSent: false }];
}

/** The lines of the limits' breach prices. Limits with the same price share a line. */
function breachLines(account: Account<Linked> | null): readonly PriceLine[] {
  const byPrice = new Map<number, string[]>();
  for (const { rule, breachPrice } of account?.drawdownRules?.limits ?? []) {
    if (breachPrice === null) continue;
    const names = [...(byPrice.get(breachPrice) ?? []), lossRuleLabel(rule).toLowerCase()];
    byPrice.set(breachPrice, names);
  }
  return [...byPrice].map(([price, names]) => ({
    key: `breach ${names.join()}`,
    kind: "breach",
    name: `Breach: ${names.join(", ")}`,
    price,
    isSent: false,
  }));
}

function legLines(
  leg: PendingOrder,
  position: PositionItem<Linked>,
  legs: readonly PendingOrder[],
): readonly PriceLine[] {
  const { orderUuid: id, takeProfit } = leg;
  const stop = hasStop(leg) ? stopPriceOf(leg, position, legs) : null;
  const lines: PriceLine[] = [];
  if (stop !== null) {
    lines.push({ key: `${id} stop`, kind: "stop", name: "Stop", price: stop, isSent: true });
  }
  if (takeProfit !== null) {
    const key = `${id} target`;
    lines.push({ key, kind: "target", name: "Target", price: takeProfit, isSent: true });
  }
  return lines;
}

interface LineLook {
  /** The CSS variable of the colour. */
  readonly colour: string;
  /** The CSS class of the same colour. */
  readonly tone: string;
  readonly style: LineStroke;
}

/** How the lines of each kind are drawn. No two kinds differ by colour alone. */
export const LINE_LOOKS: Readonly<Record<PriceLineKind, LineLook>> = {
  entry: { colour: "--accent", tone: "text-accent", style: "dotted" },
  stop: { colour: "--warn", tone: "text-warn", style: "dashed" },
  target: { colour: "--ok", tone: "text-ok", style: "longDashed" },
  breach: { colour: "--danger", tone: "text-danger", style: "solid" },
};
