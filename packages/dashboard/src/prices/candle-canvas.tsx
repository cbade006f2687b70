import { priceText } from "@propgate/contract";
import {
  type AutoscaleInfo,
  CandlestickSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type UTCTimestamp,
} from "lightweight-charts";
import { useEffect, useRef, useState } from "react";
import {
  LINE_STYLES,
  onThemeChange,
  openChart,
  paintChart,
  themeColours,
} from "../parts/chart/chart-look.ts";
import { type Bar, barRange } from "./candle-series.ts";
import { LINE_LOOKS, type PriceLine } from "./price-lines.ts";

interface CandleCanvasProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly lines: readonly PriceLine[];
  readonly tick: number | null;
  /** The key of the shown content. A change of it brings the newest bars into view. */
  readonly fitTo: string;
}

interface Drawing {
  readonly chart: IChartApi;
  readonly series: ISeriesApi<"Candlestick">;
  readonly drawn: Map<string, IPriceLine>;
  /** The bars and lines on the canvas. The price axis is fitted to them whenever the chart is painted. */
  shown: { readonly bars: readonly Bar[]; readonly lines: readonly PriceLine[] };
}

/** The width of a bar at first, in pixels. */
const BAR_WIDTH = 7;
/** The empty space after the newest bar, in bar widths. */
const EMPTY_BARS_AFTER = 3;
/**
 * The minimum width for titles on the lines, in pixels. In a narrower chart a title would cover the newest bars; the
 * legend has the names too.
 */
const TITLES_FROM_WIDTH = 560;
const TICK_UNKNOWN = 0.01;

/** The canvas of the chart. The text beside it has the same figures in words. */
export function CandleCanvas({ label, bars, lines, tick, fitTo }: CandleCanvasProps) {
  const room = useRef<HTMLDivElement>(null);
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  useEffect(() => {
    if (room.current === null) return;
    const drawn = createDrawing(room.current);
    const stopPainting = onThemeChange(() => paint(drawn));
    setDrawing(drawn);
    return () => {
      stopPainting();
      drawn.chart.remove();
      setDrawing(null);
    };
  }, []);
  useEffect(() => {
    drawing?.series.applyOptions({
      priceFormat: {
        type: "custom",
        minMove: tick ?? TICK_UNKNOWN,
        formatter: (price: number) => priceText(price, { tick }),
      },
    });
  }, [drawing, tick]);
  useEffect(() => {
    const hasTitles = (room.current?.clientWidth ?? 0) >= TITLES_FROM_WIDTH;
    if (drawing !== null) drawBars(drawing, { bars, lines, hasTitles });
  }, [drawing, bars, lines]);
  useEffect(() => {
    if (drawing !== null && fitTo !== "") showNewest(drawing, room.current?.clientWidth ?? 0);
  }, [drawing, fitTo]);
  return <div ref={room} role="img" aria-label={label} className="absolute inset-0" />;
}

function createDrawing(room: HTMLElement): Drawing {
  const chart = openChart(room);
  const series = chart.addSeries(CandlestickSeries, { priceLineVisible: false });
  const drawing: Drawing = { chart, series, drawn: new Map(), shown: { bars: [], lines: [] } };
  series.applyOptions({
    autoscaleInfoProvider: (usual: () => AutoscaleInfo | null) =>
      withNearLines(usual(), drawing.shown),
  });
  paint(drawing);
  return drawing;
}

/** Applies the colours of the current theme. A falling candle is filled, a rising one is hollow. */
function paint({ chart, series, drawn, shown }: Drawing): void {
  paintChart(chart);
  const colour = themeColours();
  series.applyOptions({
    upColor: colour("--panel"),
    borderUpColor: colour("--gain"),
    wickUpColor: colour("--gain"),
    downColor: colour("--loss"),
    borderDownColor: colour("--loss"),
    wickDownColor: colour("--loss"),
  });
  for (const line of shown.lines) {
    drawn.get(line.key)?.applyOptions({ color: colour(LINE_LOOKS[line.kind].colour) });
  }
}

function drawBars(
  drawing: Drawing,
  { hasTitles, ...shown }: Drawing["shown"] & { readonly hasTitles: boolean },
): void {
  drawing.shown = shown;
  const { bars, lines } = shown;
  const { series, drawn } = drawing;
  series.setData(
    bars.map(({ second, ...prices }) => ({ time: second as UTCTimestamp, ...prices })),
  );
  const keys = new Set(lines.map(({ key }) => key));
  for (const [key, line] of drawn) {
    if (keys.has(key)) continue;
    series.removePriceLine(line);
    drawn.delete(key);
  }
  const colour = themeColours();
  for (const { key, kind, name, price } of lines) {
    const title = hasTitles ? name : "";
    const known = drawn.get(key);
    if (known !== undefined) {
      known.applyOptions({ price, title });
      continue;
    }
    const look = LINE_LOOKS[kind];
    drawn.set(
      key,
      series.createPriceLine({
        price,
        title,
        color: colour(look.colour),
        lineWidth: 1,
        lineStyle: LINE_STYLES[look.style],
        axisLabelVisible: true,
      }),
    );
  }
}

/**
 * The range of the price scale, extended to include lines near the bars. A distant line is left out, because it would
 * flatten the bars; the legend shows its distance.
 */
function withNearLines(
  usual: AutoscaleInfo | null,
  { bars, lines }: Drawing["shown"],
): AutoscaleInfo | null {
  const range = barRange(bars);
  if (usual === null || usual.priceRange === null || range === null) return usual;
  const reach = range.highest - range.lowest;
  const near = lines
    .map(({ price }) => price)
    .filter((price) => price >= range.lowest - reach && price <= range.highest + reach);
  return {
    ...usual,
    priceRange: {
      minValue: Math.min(usual.priceRange.minValue, ...near),
      maxValue: Math.max(usual.priceRange.maxValue, ...near),
    },
  };
}

/** Shows the newest bars, as many as the width has room for. */
function showNewest({ chart, shown }: Drawing, width: number): void {
  const to = shown.bars.length - 1 + EMPTY_BARS_AFTER;
  chart.timeScale().setVisibleLogicalRange({ from: to - width / BAR_WIDTH, to });
}
