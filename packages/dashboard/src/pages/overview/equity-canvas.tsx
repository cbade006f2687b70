import type { EquityPoint, EquityWindow } from "@propgate/contract";
import {
  ColorType,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineSeries,
  LineStyle,
  LineType,
  type Time,
  type UTCTimestamp,
} from "lightweight-charts";
import { useEffect, useRef, useState } from "react";
import { moneyText } from "../../format/numbers.ts";
import { timeText } from "../../format/times.ts";
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
    const themes = new MutationObserver(() => paint(drawn));
    themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    drawn.chart.subscribeCrosshairMove(({ time }) => {
      const found = newest.current.find(({ second }) => second === time);
      onPoint(found?.point ?? null);
    });
    setDrawing(drawn);
    return () => {
      themes.disconnect();
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
  const chart = createChart(room, {
    autoSize: true,
    layout: {
      // The library's logo adds a style element, which the policy of these pages forbids.
      attributionLogo: false,
      fontFamily: getComputedStyle(document.body).fontFamily,
      fontSize: 11,
    },
    localization: {
      locale: "en-US",
      priceFormatter: moneyText,
      timeFormatter: (time: UTCTimestamp) => `${timeText(time * 1000)} UTC`,
    },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: 0.08 } },
    timeScale: { borderVisible: false, timeVisible: true, secondsVisible: false },
    // Scrolling the page over the chart must not scroll the chart.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
  });
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
    lineStyle: STYLES[line.style],
    priceLineVisible: false,
    lastValueVisible: line.key !== "balance",
    crosshairMarkerVisible: !line.isFloor,
  });
  return { line, series };
}

const STYLES: Readonly<Record<EquityLine["style"], LineStyle>> = {
  solid: LineStyle.Solid,
  dashed: LineStyle.Dashed,
  dotted: LineStyle.Dotted,
  longDashed: LineStyle.LargeDashed,
};

/** The colours of the current theme. */
function paint({ chart, lines }: Drawing): void {
  const theme = getComputedStyle(document.documentElement);
  const colour = (name: string): string => theme.getPropertyValue(name).trim();
  chart.applyOptions({
    layout: {
      background: { type: ColorType.Solid, color: colour("--panel") },
      textColor: colour("--muted"),
    },
    grid: {
      vertLines: { visible: false },
      horzLines: { color: colour("--line") },
    },
    crosshair: {
      vertLine: { color: colour("--muted"), labelBackgroundColor: colour("--raised") },
      horzLine: { color: colour("--muted"), labelBackgroundColor: colour("--raised") },
    },
  });
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
  const theme = getComputedStyle(document.documentElement);
  const color = theme.getPropertyValue("--danger").trim();
  const time = (last?.second ?? 0) as UTCTimestamp;
  const marker = { time, position: "aboveBar", shape: "circle", color, text: "Ended" } as const;
  markers?.setMarkers(last === null ? [] : [marker]);
}
