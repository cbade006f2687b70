import type { EquityPoint, EquityWindow } from "@propgate/contract";
import {
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineSeries,
  LineType,
  type Time,
  type UTCTimestamp,
} from "lightweight-charts";
import { useEffect, useRef, useState } from "react";
import { moneyText } from "../../format/numbers.ts";
import {
  LINE_STYLES,
  onThemeChange,
  openChart,
  paintChart,
  themeColours,
} from "../../parts/chart/chart-look.ts";
import { type EquityLine, equityLines } from "./equity-lines.ts";
import type { DrawnPoint } from "./equity-series.ts";

interface EquityCanvasProps {
  readonly points: readonly DrawnPoint[];
  /** The shown period. A change of it brings the whole chart into view. */
  readonly fitTo: EquityWindow;
  /** True when the account ended at the last point. The point then gets a mark. */
  readonly hasEnded: boolean;
  /** Called with the point under the pointer; null when there is none. */
  readonly onPoint: (point: EquityPoint | null) => void;
}

interface DrawnLine {
  readonly line: EquityLine;
  readonly series: ISeriesApi<"Line">;
}

interface Drawing {
  readonly chart: IChartApi;
  /** The lines by their keys. A line is added with the first points that have a value for it. */
  readonly lines: Map<string, DrawnLine>;
  /** The marks on the equity line; null when the chart has no equity line. */
  readonly markers: ISeriesMarkersPluginApi<Time> | null;
}

/** Draws equity, balance and floors on a canvas. The text below the chart says the same in words. */
export function EquityCanvas({ points, fitTo, hasEnded, onPoint }: EquityCanvasProps) {
  const container = useRef<HTMLDivElement>(null);
  const newest = useRef(points);
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  useEffect(() => {
    newest.current = points;
  }, [points]);
  useEffect(() => {
    if (container.current === null) return;
    const drawn = createDrawing(container.current);
    const stopPainting = onThemeChange(() => applyTheme(drawn));
    drawn.chart.subscribeCrosshairMove(({ time }) => {
      const found = newest.current.find(({ second }) => second === time);
      onPoint(found?.point ?? null);
    });
    setDrawing(drawn);
    return () => {
      stopPainting();
      drawn.chart.remove();
      setDrawing(null);
    };
  }, [onPoint]);
  useEffect(() => {
    if (drawing !== null) drawPoints(drawing, points);
  }, [drawing, points]);
  useEffect(() => {
    if (drawing !== null) markEnd(drawing, hasEnded ? (points.at(-1) ?? null) : null);
  }, [drawing, points, hasEnded]);
  useEffect(() => {
    if (drawing !== null && fitTo !== null) drawing.chart.timeScale().fitContent();
  }, [drawing, fitTo]);
  return (
    <div
      ref={container}
      role="img"
      aria-label="Chart of equity, balance and the loss floors; the text below says the same"
      className="absolute inset-0"
    />
  );
}

function createDrawing(room: HTMLElement): Drawing {
  const chart = openChart(room, { localization: { priceFormatter: moneyText } });
  const lines = new Map(equityLines([]).map((line) => [line.key, addLine(chart, line)]));
  const equity = lines.get("equity")?.series;
  const markers = equity === undefined ? null : createSeriesMarkers<Time>(equity, []);
  const drawing = { chart, lines, markers };
  applyTheme(drawing);
  return drawing;
}

function addLine(chart: IChartApi, line: EquityLine): DrawnLine {
  const series = chart.addSeries(LineSeries, {
    lineWidth: line.width,
    // A floor is constant until its rule moves it, so its line has steps.
    lineType: line.isFloor ? LineType.WithSteps : LineType.Simple,
    lineStyle: LINE_STYLES[line.style],
    priceLineVisible: false,
    lastValueVisible: line.key !== "balance",
    crosshairMarkerVisible: !line.isFloor,
  });
  return { line, series };
}

/** Applies the colours of the current theme to the chart and its lines. */
function applyTheme({ chart, lines }: Drawing): void {
  paintChart(chart);
  const colour = themeColours();
  for (const { line, series } of lines.values())
    series.applyOptions({ color: colour(line.colour) });
}

/**
 * Draws the points. A line that these points need and the chart does not have yet is added first. A line without a
 * value at these points stays empty.
 */
function drawPoints(drawing: Drawing, points: readonly DrawnPoint[]): void {
  const { chart, lines } = drawing;
  const missing = equityLines(points.map(({ point }) => point)).filter(
    ({ key }) => !lines.has(key),
  );
  for (const line of missing) lines.set(line.key, addLine(chart, line));
  if (missing.length > 0) applyTheme(drawing);
  for (const { line, series } of lines.values()) {
    series.setData(
      points.map(({ second, point }) => {
        const time = second as UTCTimestamp;
        const value = line.valueAt(point);
        return value === null ? { time } : { time, value };
      }),
    );
  }
}

/** Marks the point at which the account ended. */
function markEnd({ markers }: Drawing, last: DrawnPoint | null): void {
  const color = themeColours()("--danger");
  const time = (last?.second ?? 0) as UTCTimestamp;
  const marker = { time, position: "aboveBar", shape: "circle", color, text: "Ended" } as const;
  markers?.setMarkers(last === null ? [] : [marker]);
}
