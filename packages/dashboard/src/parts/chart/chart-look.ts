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

/** An empty chart that fills the element, with the settings that all charts of the pages have. */
export function openChart(
  container: HTMLElement,
  options: DeepPartial<ChartOptions> = {},
): IChartApi {
  return createChart(container, {
    autoSize: true,
    layout: {
      // The logo of the library adds a style element, which the content security policy of these pages forbids.
      attributionLogo: false,
      fontFamily: getComputedStyle(document.body).fontFamily,
      fontSize: 11,
    },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: 0.08 } },
    // Seconds are only shown where the times of a chart differ by less than a minute.
    timeScale: { borderVisible: false, timeVisible: true, secondsVisible: true },
    // Scrolling the page over the chart must not move the chart.
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

/** The library's styles of a line, which match those of the legend. */
export const LINE_STYLES: Readonly<Record<LineStroke, LineStyle>> = {
  solid: LineStyle.Solid,
  dashed: LineStyle.Dashed,
  dotted: LineStyle.Dotted,
  longDashed: LineStyle.LargeDashed,
};

/** A function that returns a colour of the current theme by its CSS variable, such as `--muted`. */
export function themeColours(): (property: string) => string {
  const theme = getComputedStyle(document.documentElement);
  return (property) => theme.getPropertyValue(property).trim();
}

/** Applies the colours of the current theme to the background, text, grid lines and crosshair of the chart. */
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

/** Calls `repaint` whenever the theme changes. Returns a function that stops these calls. */
export function onThemeChange(repaint: () => void): () => void {
  const themes = new MutationObserver(repaint);
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => themes.disconnect();
}
