import {
  CANDLE_INTERVALS,
  type CandleInterval,
  type CandlesView,
  type MarketView,
  priceText,
} from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useMemo, useState } from "react";
import { getData } from "../api/call.ts";
import { signedPercentText } from "../format/numbers.ts";
import { timeText } from "../format/times.ts";
import { lazyPage } from "../frame/lazy-page.tsx";
import { ChartNotice } from "../parts/chart/chart-notice.tsx";
import { LineMark } from "../parts/chart/line-mark.tsx";
import { Switcher } from "../parts/field.tsx";
import { Figure } from "../parts/figure.tsx";
import { Loaded } from "../parts/loaded.tsx";
import { EmptyList } from "../parts/notice.tsx";
import { Price, useTickOf } from "../parts/price.tsx";
import { type Bar, barRange, barsOf, type PriceSide, withQuote } from "./candle-series.ts";
import { LINE_LOOKS, type PriceLine } from "./price-lines.ts";

const CandleCanvas = lazyPage(() => import("./candle-canvas.tsx"), "CandleCanvas");

const ROOM = "h-64 sm:h-72";
const LOADING_ROOM = "min-h-92 sm:min-h-100";
const REFETCH_MS = 60_000;
const CANDLES = 200;

const INTERVAL_WORDS: Readonly<Record<CandleInterval, string>> = {
  "1m": "1 minute",
  "5m": "5 minutes",
  "15m": "15 minutes",
  "1h": "1 hour",
  "1d": "1 day",
};

interface CandleChartProps {
  readonly pair: string;
  readonly display: string;
  /** The side at which the position would close: the bid for a LONG, the ask for a SHORT. */
  readonly side: PriceSide;
  readonly quote: MarketView["quote"];
  readonly lines: readonly PriceLine[];
}

/** The candles of a pair, with lines at the prices that matter to a position. */
export function CandleChart({ pair, display, side, quote, lines }: CandleChartProps) {
  const [interval, setInterval] = useState<CandleInterval>("5m");
  const candles = useQuery({
    queryKey: ["candles", pair, interval],
    queryFn: async ({ signal }) => {
      const path = `candles?tradePair=${encodeURIComponent(pair)}&interval=${interval}&limit=${CANDLES}`;
      return { of: pair, interval, items: await getData<CandlesView>(path, signal) };
    },
    refetchInterval: REFETCH_MS,
    // While the candles of another interval are loading, the present candles stay. After a change of pair they do not.
    placeholderData: (shown) => (shown?.of === pair ? shown : undefined),
  });
  return (
    <div>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="text-xs text-muted">
          {display}, {side} prices
        </span>
        <Switcher
          label={`Candles of ${display}`}
          value={interval}
          options={CANDLE_INTERVALS.map((value) => ({ value, text: value }))}
          onChange={setInterval}
        />
      </div>
      <Loaded query={candles} heightClass={LOADING_ROOM}>
        {({ interval: shown, items }) => (
          <CandleFigure {...{ pair, display, side, quote, lines, items }} interval={shown} />
        )}
      </Loaded>
    </div>
  );
}

function CandleFigure({
  pair,
  display,
  side,
  quote,
  lines,
  interval,
  items,
}: CandleChartProps & { readonly interval: CandleInterval; readonly items: CandlesView }) {
  const tick = useTickOf()(pair);
  const known = useMemo(() => barsOf(items, side), [items, side]);
  const bars = useMemo(
    () => withQuote(known, quote, { interval, side }),
    [known, quote, interval, side],
  );
  const last = bars.at(-1);
  if (last === undefined) {
    return (
      <div className={LOADING_ROOM}>
        <EmptyList title="No candles yet">
          The first candle begins with the next price of {display}. Older prices were not recorded.
        </EmptyList>
      </div>
    );
  }
  return (
    <figure className="m-0">
      <Legend pair={pair} lines={lines} last={last.close} />
      <div className={`relative ${ROOM}`}>
        <Suspense fallback={<output className={`block ${ROOM}`} aria-label="Loading the chart" />}>
          <CandleCanvas
            label={`Candles of ${display}; the text below says the same`}
            bars={bars}
            lines={lines}
            tick={tick}
            fitTo={`${pair} ${interval}`}
          />
        </Suspense>
      </div>
      <Summary bars={bars} {...{ interval, side, tick }} />
      <ChartNotice />
    </figure>
  );
}

/**
 * The lines, each with its price and its distance from the newest price, even when the chart does not reach the line.
 */
function Legend({
  pair,
  lines,
  last,
}: {
  readonly pair: string;
  readonly lines: readonly PriceLine[];
  readonly last: number;
}) {
  return (
    <div className="mb-2 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-xs">
      {lines.map(({ key, kind, name, price, isSent }) => (
        <span key={key} className="inline-flex items-center gap-1.5 whitespace-nowrap">
          <LineMark {...LINE_LOOKS[kind]} width={2} />
          <span className="text-muted">{name}</span>
          <Price pair={pair} value={price} isSent={isSent} />
          <span className="text-muted">
            (<Figure value={((price - last) * 100) / last} as={signedPercentText} />)
          </span>
        </span>
      ))}
    </div>
  );
}

/** The content of the chart in words. */
function Summary({
  bars,
  interval,
  side,
  tick,
}: {
  readonly bars: readonly Bar[];
  readonly interval: CandleInterval;
  readonly side: PriceSide;
  readonly tick: number | null;
}) {
  const [first] = bars;
  const last = bars.at(-1);
  const range = barRange(bars);
  if (first === undefined || last === undefined || range === null) return null;
  const text = (price: number): string => priceText(price, { tick });
  const counted = bars.length === 1 ? "One candle" : `${bars.length} candles`;
  return (
    <figcaption className="figure mt-2 min-h-10 text-xs text-muted" data-candles>
      {counted} of {INTERVAL_WORDS[interval]} since {timeText(first.second * 1000)} UTC. The {side}{" "}
      went from {text(first.open)} to {text(last.close)}, lowest {text(range.lowest)}, highest{" "}
      {text(range.highest)}.
    </figcaption>
  );
}
