import type { EquityPoint, EquityWindow } from "@propgate/contract";
import {
  ColorType,
  createChart,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  LineType,
  type UTCTimestamp,
} from "lightweight-charts";
import { useEffect, useRef, useState } from "react";
import { moneyText } from "../../format/numbers.ts";
import { timeText } from "../../format/times.ts";
import { LINE_COLOURS, LINES, type LineKey } from "./equity-lines.ts";
import type { DrawnPoint } from "./equity-series.ts";

interface EquityCanvasProps {
  readonly points: readonly DrawnPoint[];
  /** When it changes, the whole of it is brought into view. */
  readonly fitTo: EquityWindow;
  /** The point under the mouse; null: none. */
  readonly onPoint: (point: EquityPoint | null) => void;
}

type Line = ISeriesApi<"Line">;

interface Drawing {
  readonly chart: IChartApi;
  readonly lines: ReadonlyMap<LineKey, Line>;
}

/** The picture alone; what it says stands beside it in words. */
export function EquityCanvas({ points, fitTo, onPoint }: EquityCanvasProps) {
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
    if (drawing !== null && fitTo !== null) drawing.chart.timeScale().fitContent();
  }, [drawing, fitTo]);
  return (
    <div
      ref={room}
      role="img"
      aria-label="Chart of equity, balance and the two loss floors; the text below says the same"
      className="absolute inset-0"
    />
  );
}

function draw(room: HTMLElement): Drawing {
  const chart = createChart(room, {
    autoSize: true,
    layout: {
      // The library's own logo brings a style element, which the policy of these pages refuses.
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
    // A page that is scrolled past the chart goes on scrolling.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
  });
  const lines = new Map(LINES.map(({ key }) => [key, addLine(chart, key)]));
  const drawing = { chart, lines };
  paint(drawing);
  return drawing;
}

function addLine(chart: IChartApi, key: LineKey): Line {
  const isFloor = key === "dailyFloor" || key === "maxFloor";
  return chart.addSeries(LineSeries, {
    lineWidth: key === "balance" ? 1 : 2,
    // A floor stands until its rule moves it, so it moves in steps.
    lineType: isFloor ? LineType.WithSteps : LineType.Simple,
    lineStyle: STYLES[key],
    priceLineVisible: false,
    lastValueVisible: key !== "balance",
    crosshairMarkerVisible: !isFloor,
  });
}

const STYLES: Readonly<Record<LineKey, LineStyle>> = {
  equity: LineStyle.Solid,
  balance: LineStyle.Solid,
  dailyFloor: LineStyle.Dashed,
  maxFloor: LineStyle.Dotted,
};

/** The colours of the theme that is on. */
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
  for (const [key, line] of lines) line.applyOptions({ color: colour(LINE_COLOURS[key]) });
}

function fill({ lines }: Drawing, points: readonly DrawnPoint[]): void {
  for (const [key, line] of lines) {
    line.setData(
      points.map(({ second, point }) => {
        const time = second as UTCTimestamp;
        const value = point[key];
        return value === null ? { time } : { time, value };
      }),
    );
  }
}
