import type { TradeItem } from "@propgate/contract";
import type { CsvColumn } from "./csv.ts";
import { netPnlOf } from "./trade-filter.ts";

/** What the exported file holds: the API's own names and exact values, times as ISO 8601 in UTC. */
export const TRADE_CSV: readonly CsvColumn<TradeItem>[] = [
  { head: "id", cell: ({ id }) => id },
  { head: "tradePair", cell: ({ tradePair }) => tradePair },
  { head: "positionType", cell: ({ positionType }) => positionType },
  { head: "status", cell: ({ status }) => status },
  { head: "openTime", cell: ({ openTimeMs }) => isoText(openTimeMs) },
  { head: "closeTime", cell: ({ closeTimeMs }) => isoText(closeTimeMs) },
  { head: "quantity", cell: ({ quantity }) => quantity },
  { head: "positionSize", cell: ({ positionSizeNumeric }) => positionSizeNumeric },
  { head: "leverage", cell: ({ leverageNumeric }) => leverageNumeric },
  { head: "entryPrice", cell: ({ entryPriceNumeric }) => entryPriceNumeric },
  { head: "closePrice", cell: ({ closePriceNumeric }) => closePriceNumeric },
  { head: "stopLoss", cell: ({ stopLoss }) => stopLoss },
  { head: "takeProfit", cell: ({ takeProfit }) => takeProfit },
  { head: "realizedPnl", cell: ({ realizedPnl }) => realizedPnl },
  { head: "totalFees", cell: ({ totalFees }) => totalFees },
  { head: "netPnl", cell: netPnlOf },
  { head: "returnAtClose", cell: ({ returnAtClose }) => returnAtClose },
];

function isoText(atMs: number): string {
  return new Date(atMs).toISOString();
}
