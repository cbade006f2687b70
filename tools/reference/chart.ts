/** A curve of a chart; sizes and values are above 0. */
export interface ChartSeries {
  readonly name: string;
  readonly points: readonly (readonly [size: number, value: number])[];
}

const WIDTH = 640;
const HEIGHT = 300;
const PLOT = { left: 70, right: 610, top: 60, bottom: 240 };
const STEPS = 4;
/** The CSS class of each curve, in their order. The site's style colours both classes in both themes. */
const CLASSES = ["ask", "bid"] as const;
const STYLE = `text { fill: #566070; font: 13px ui-sans-serif, system-ui, sans-serif; }
    .strong { fill: #14181f; font-weight: 600; }
    .ground { fill: #ffffff; }
    path, line { fill: none; stroke: #566070; stroke-width: 1.5; }
    .ask { stroke: #1d5bd6; stroke-width: 2; }
    .bid { stroke: #7d8794; stroke-width: 2; }
    .moment { stroke-dasharray: 2 4; }
    @media (prefers-color-scheme: dark) {
      text { fill: #99a3b1; }
      .strong { fill: #e7eaef; }
      .ground { fill: #12161c; }
      path, line { stroke: #99a3b1; }
      .ask { stroke: #6aa3ff; }
      .bid { stroke: #8b95a3; }
    }`;

/** A drawing of up to two curves: sizes in powers of ten to the right, values from 0 upwards. */
export function growthChart(chart: {
  readonly title: string;
  /** The name of the sizes, such as `accounts`. */
  readonly sizes: string;
  /** The unit of the values. */
  readonly unit: string;
  readonly series: readonly ChartSeries[];
}): string {
  const points = chart.series.flatMap((series) => series.points);
  const powers = points.map(([size]) => Math.log10(size));
  const [first, last] = [Math.floor(Math.min(...powers)), Math.ceil(Math.max(...powers))];
  const top = roundTop(Math.max(...points.map(([, value]) => value)));
  const x = (size: number): number =>
    PLOT.left + ((Math.log10(size) - first) / Math.max(1, last - first)) * (PLOT.right - PLOT.left);
  const y = (value: number): number => PLOT.bottom - (value / top) * (PLOT.bottom - PLOT.top);
  const lines = [
    `<rect class="ground" width="${WIDTH}" height="${HEIGHT}" rx="6"/>`,
    text(PLOT.left, 24, chart.title, { isStrong: true }),
    text(PLOT.left - 8, PLOT.top - 14, chart.unit, { anchor: "end" }),
    ...Array.from({ length: STEPS + 1 }, (_, step) => {
      const value = (top * step) / STEPS;
      const at = y(value).toFixed(1);
      return `<line class="moment" x1="${PLOT.left}" y1="${at}" x2="${PLOT.right}" y2="${at}"/>${text(PLOT.left - 8, y(value) + 4, value.toLocaleString("en-US"), { anchor: "end" })}`;
    }),
    ...Array.from({ length: last - first + 1 }, (_, step) => {
      const size = 10 ** (first + step);
      return text(x(size), PLOT.bottom + 20, size.toLocaleString("en-US"), { anchor: "middle" });
    }),
    text((PLOT.left + PLOT.right) / 2, PLOT.bottom + 44, chart.sizes, { anchor: "middle" }),
    ...chart.series.flatMap((series, index) => {
      const style = CLASSES[index] ?? "bid";
      const path = series.points.map(
        ([size, value]) => `${x(size).toFixed(1)} ${y(value).toFixed(1)}`,
      );
      const legend = PLOT.left + 150 * index;
      return [
        `<path class="${style}" d="M${path.join(" L")}"/>`,
        `<line class="${style}" x1="${legend}" y1="42" x2="${legend + 22}" y2="42"/>`,
        text(legend + 28, 46, series.name, {}),
      ];
    }),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}">
  <title>${chart.title}</title>
  <style>
    ${STYLE}
  </style>
  ${lines.join("\n  ")}
</svg>
`;
}

function text(
  x: number,
  y: number,
  what: string,
  {
    anchor = "start",
    isStrong = false,
  }: { anchor?: "start" | "middle" | "end"; isStrong?: boolean },
): string {
  const strong = isStrong ? ' class="strong"' : "";
  return `<text${strong} x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${what}</text>`;
}

/** The first of 1, 2, 4, 8 and 10 times a power of ten that is at least the value. */
function roundTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 8, 10].map((step) => step * power).find((top) => top >= value) ?? value;
}
