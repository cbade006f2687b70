import type { AccountStateView, Linked, PositionItem } from "@propgate/contract";
import { useMemo } from "react";
import { CandleChart } from "./candle-chart.tsx";
import { priceLines } from "./price-lines.ts";

interface PositionChartProps {
  readonly position: PositionItem<Linked>;
  readonly state: AccountStateView;
}

/** The candles of a position's pair, with lines at its entry, stops, targets and breach prices. */
export function PositionChart({ position, state }: PositionChartProps) {
  const { orders, account, markets, positions } = state;
  const lines = useMemo(
    () => priceLines(position, { orders, account, positions: positions.length }),
    [position, orders, account, positions.length],
  );
  return (
    <CandleChart
      pair={position.tradePair}
      display={position.tradePairDisplay}
      side={position.positionType === "LONG" ? "bid" : "ask"}
      quote={markets.find(({ pair }) => pair === position.tradePair)?.quote ?? null}
      lines={lines}
    />
  );
}
