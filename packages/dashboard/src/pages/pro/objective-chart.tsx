import type { Objective } from "@propgate/contract";
import { chartShape, type ObjectivePoint, seriesText } from "./objective-series.ts";

const SIZE = { width: 280, height: 64 };
/** Padding, so that lines and the last point are not cut at the edge. */
const EDGE = 4;

/** An objective day by day, with the threshold as a dashed line. */
export function ObjectiveChart({
  objective,
  points,
}: {
  readonly objective: Objective;
  readonly points: readonly ObjectivePoint[];
}) {
  const { lines, end, thresholdY } = chartShape(points, objective.threshold, SIZE);
  const box = [-EDGE, -EDGE, SIZE.width + 2 * EDGE, SIZE.height + 2 * EDGE].join(" ");
  return (
    <svg
      viewBox={box}
      role="img"
      aria-label={seriesText(objective, points)}
      className="h-18 w-full"
      preserveAspectRatio="none"
      fill="none"
    >
      {thresholdY !== null && (
        <line
          x1={0}
          x2={SIZE.width}
          y1={thresholdY}
          y2={thresholdY}
          className="stroke-muted"
          strokeDasharray="4 4"
          vectorEffect="non-scaling-stroke"
        />
      )}
      {lines.map((line) => (
        <path
          key={line}
          d={line}
          className="stroke-accent"
          strokeWidth={1.5}
          strokeLinejoin="round"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {end !== null && (
        // A line of zero length with round ends stays round when the chart is stretched.
        <path
          d={`M${end.x} ${end.y}h0`}
          className="stroke-accent"
          strokeWidth={6}
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
