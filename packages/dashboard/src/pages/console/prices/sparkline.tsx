import { sparkLines } from "./price-words.ts";

const SIZE = { width: 96, height: 20 };
const MARGIN = 2;

/** The prices of the last minutes as a small line. Screen readers read the figures of the row instead. */
export function Sparkline({ prices }: { readonly prices: readonly (number | null)[] }) {
  const { width, height } = SIZE;
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={height + 2 * MARGIN}
      viewBox={`0 ${-MARGIN} ${width} ${height + 2 * MARGIN}`}
      className="inline-block align-middle text-muted"
    >
      {sparkLines(prices, SIZE).map((points) =>
        points.includes(" ") ? (
          <polyline
            key={points}
            points={points}
            fill="none"
            stroke="currentColor"
            strokeWidth="1.25"
          />
        ) : (
          <circle
            key={points}
            cx={points.split(",")[0]}
            cy={points.split(",")[1]}
            r="1.25"
            fill="currentColor"
          />
        ),
      )}
    </svg>
  );
}
