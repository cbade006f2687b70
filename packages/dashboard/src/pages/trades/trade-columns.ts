import { type Linked, roundPrice, type TradeItem } from "@propgate/contract";
import { sumUsd } from "../../format/exact.ts";
import type { CsvColumn } from "./csv.ts";
import { netPnlOf } from "./trade-filter.ts";

/** The significant digits of quantities and factors. Further digits are noise of floating-point arithmetic. */
const SIGNIFICANT_DIGITS = 12;

/**
 * The columns of the exported file. They have the API's names, money with six decimals, prices rounded to their tick as
 * on the page, and times as ISO 8601 in UTC.
 */
export function tradeCsv(
  tickOf: (pair: string) => number | null,
): readonly CsvColumn<TradeItem<Linked>>[] {
  const price = (pair: string, value: number | null, isSent = false): number | null =>
    value === null ? null : roundPrice(value, { tick: tickOf(pair), isSent });
  return [
    { head: "id", cell: ({ id }) => id },
    { head: "tradePair", cell: ({ tradePair }) => tradePair },
    { head: "positionType", cell: ({ positionType }) => positionType },
    { head: "status", cell: ({ status }) => status },
    { head: "openTime", cell: ({ openTimeMs }) => isoText(openTimeMs) },
    { head: "closeTime", cell: ({ closeTimeMs }) => isoText(closeTimeMs) },
    { head: "quantity", cell: ({ quantity }) => withoutNoise(quantity) },
    { head: "positionSize", cell: ({ positionSizeNumeric }) => usd(positionSizeNumeric) },
    { head: "leverage", cell: ({ leverageNumeric }) => withoutNoise(leverageNumeric) },
    {
      head: "entryPrice",
      cell: ({ tradePair, entryPriceNumeric }) => price(tradePair, entryPriceNumeric),
    },
    {
      head: "closePrice",
      cell: ({ tradePair, closePriceNumeric }) => price(tradePair, closePriceNumeric),
    },
    { head: "stopLoss", cell: ({ tradePair, stopLoss }) => price(tradePair, stopLoss, true) },
    { head: "takeProfit", cell: ({ tradePair, takeProfit }) => price(tradePair, takeProfit, true) },
    { head: "realizedPnl", cell: ({ realizedPnl }) => usd(realizedPnl) },
    { head: "totalFees", cell: ({ totalFees }) => usd(totalFees) },
    { head: "netPnl", cell: (trade) => usd(netPnlOf(trade)) },
    { head: "returnAtClose", cell: ({ returnAtClose }) => withoutNoise(returnAtClose) },
  ];
}

function usd(value: number | null): number | null {
  return value === null ? null : sumUsd([value]);
}

function withoutNoise(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(SIGNIFICANT_DIGITS));
}

function isoText(atMs: number): string {
  return new Date(atMs).toISOString();
}
