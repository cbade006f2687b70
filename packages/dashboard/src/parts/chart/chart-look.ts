import {
  type ChartOptions,
  ColorType,
  createChart,
  type DeepPartial,
  type IChartApi,
  LineStyle,
  type UTCTimestamp,
} from "lightweight-charts";
import { timeText } from "../../format/times.ts";
import type { LineStroke } from "./line-mark.tsx";

/** An empty chart that fills the element, with the settings of every chart of the pages. */
export function openChart(room: HTMLElement, options: DeepPartial<ChartOptions> = {}): IChartApi {
  return createChart(room, {
    autoSize: true,
    layout: {
      // The library's logo adds a style element, which the policy of these pages forbids.
      attributionLogo: false,
      fontFamily: getComputedStyle(document.body).fontFamily,
      fontSize: 11,
    },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: 0.08 } },
    // A time shows its seconds only where the times of a chart differ by less than a minute.
    timeScale: { borderVisible: false, timeVisible: true, secondsVisible: true },
    // Scrolling the page over the chart must not scroll the chart.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
    ...options,
    localization: {
      locale: "en-US",
      timeFormatter: (time: UTCTimestamp) => `${timeText(time * 1000)} UTC`,
      ...options.localization,
    },
  });
}

/** The library's styles of a line, matching the legend's. */
export const LINE_STYLES: Readonly<Record<LineStroke, LineStyle>> = {
  solid: LineStyle.Solid,
  dashed: LineStyle.Dashed,
  dotted: LineStyle.Dotted,
  longDashed: LineStyle.LargeDashed,
};

/** Reads a colour of the current theme by its property, such as `--muted`. */
export function themeColours(): (property: string) => string {
  const theme = getComputedStyle(document.documentElement);
  return (property) => theme.getPropertyValue(property).trim();
}

/** Paints ground, grid and crosshair in the colours of the current theme. */
export function paintChart(chart: IChartApi): void {
  const colour = themeColours();
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
}

/** Calls `repaint` when the theme changes, until the returned function is called. */
export function onTheme(repaint: () => void): () => void {
  const themes = new MutationObserver(repaint);
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => themes.disconnect();
}
