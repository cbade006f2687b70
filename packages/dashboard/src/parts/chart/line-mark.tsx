export type LineStroke = "solid" | "dashed" | "dotted" | "longDashed";

/** The dashes of each stroke in the legend, which match those of the canvas. */
const DASHES: Readonly<Record<LineStroke, string>> = {
  solid: "none",
  dashed: "6 4",
  dotted: "2 3",
  longDashed: "10 4",
};

interface LineMarkProps {
  /** The CSS class of the colour. */
  readonly tone: string;
  readonly width: number;
  readonly style: LineStroke;
}

/** A short sample of a line, for the legend of a chart. */
export function LineMark({ tone, width, style }: LineMarkProps) {
  return (
    <svg width="24" height="8" aria-hidden="true" className={tone}>
      <line
        x1="0"
        x2="24"
        y1="4"
        y2="4"
        stroke="currentColor"
        strokeWidth={width}
        strokeDasharray={DASHES[style]}
      />
    </svg>
  );
}
