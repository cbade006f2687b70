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
  onTheme,
  openChart,
  paintChart,
  themeColours,
} from "../../parts/chart/chart-look.ts";
import { type EquityLine, equityLines } from "./equity-lines.ts";
import type { DrawnPoint } from "./equity-series.ts";

interface EquityCanvasProps {
  readonly points: readonly DrawnPoint[];
  /** A change brings the whole chart into view. */
  readonly fitTo: EquityWindow;
  /** True when the account ended at the last point, which is then marked. */
  readonly hasEnded: boolean;
  /** The point under the pointer, or null. */
  readonly onPoint: (point: EquityPoint | null) => void;
}

interface DrawnLine {
  readonly line: EquityLine;
  readonly series: ISeriesApi<"Line">;
}

interface Drawing {
  readonly chart: IChartApi;
  /** By the line's key. A line is added with the first points that have it. */
  readonly lines: Map<string, DrawnLine>;
  /** Markers on the equity line. */
  readonly markers: ISeriesMarkersPluginApi<Time> | null;
}

/** The chart itself. The text beside it says the same in words. */
export function EquityCanvas({ points, fitTo, hasEnded, onPoint }: EquityCanvasProps) {
  const room = useRef<HTMLDivElement>(null);
  const newest = useRef(points);
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  useEffect(() => {
    newest.current = points;
  }, [points]);
  useEffect(() => {
    if (room.current === null) return;
    const drawn = draw(room.current);
    const stopPainting = onTheme(() => paint(drawn));
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
    if (drawing !== null) fill(drawing, points);
  }, [drawing, points]);
  useEffect(() => {
    if (drawing !== null) markEnd(drawing, hasEnded ? (points.at(-1) ?? null) : null);
  }, [drawing, points, hasEnded]);
  useEffect(() => {
    if (drawing !== null && fitTo !== null) drawing.chart.timeScale().fitContent();
  }, [drawing, fitTo]);
  return (
    <div
      ref={room}
      role="img"
      aria-label="Chart of equity, balance and the loss floors; the text below says the same"
      className="absolute inset-0"
    />
  );
}

function draw(room: HTMLElement): Drawing {
  const chart = openChart(room, { localization: { priceFormatter: moneyText } });
  const lines = new Map(equityLines([]).map((line) => [line.key, addLine(chart, line)]));
  const equity = lines.get("equity")?.series;
  const markers = equity === undefined ? null : createSeriesMarkers<Time>(equity, []);
  const drawing = { chart, lines, markers };
  paint(drawing);
  return drawing;
}

function addLine(chart: IChartApi, line: EquityLine): DrawnLine {
  const series = chart.addSeries(LineSeries, {
    lineWidth: line.width,
    // A floor is constant until its rule moves it, so it moves in steps.
    lineType: line.isFloor ? LineType.WithSteps : LineType.Simple,
    lineStyle: LINE_STYLES[line.style],
    priceLineVisible: false,
    lastValueVisible: line.key !== "balance",
    crosshairMarkerVisible: !line.isFloor,
  });
  return { line, series };
}

/** The colours of the current theme. */
function paint({ chart, lines }: Drawing): void {
  paintChart(chart);
  const colour = themeColours();
  for (const { line, series } of lines.values())
    series.applyOptions({ color: colour(line.colour) });
}

/** Adds the lines that these points are the first to have. A line without a value stays empty. */
function fill(drawing: Drawing, points: readonly DrawnPoint[]): void {
  const { chart, lines } = drawing;
  const missing = equityLines(points.map(({ point }) => point)).filter(
    ({ key }) => !lines.has(key),
  );
  for (const line of missing) lines.set(line.key, addLine(chart, line));
  if (missing.length > 0) paint(drawing);
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
