const LEVELS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** The newest `width` values as one line of blocks, scaled from their minimum to their maximum. */
export function sparkline(values: readonly number[], width: number): string {
  const shown = values.slice(-width);
  const min = Math.min(...shown);
  const span = Math.max(...shown) - min;
  return shown
    .map((value) => {
      // Equal values have no range, so they are drawn in the middle.
      const level = span === 0 ? 3 : Math.round(((value - min) / span) * (LEVELS.length - 1));
      return LEVELS[level] ?? "";
    })
    .join("");
}

/**
 * The used share of a limit as a bar, `████░░░░`. The bar is dotted for an unknown share, and full beyond the limit.
 */
export function shareBar(share: number | null, width: number): string {
  if (share === null || !Number.isFinite(share)) return "·".repeat(width);
  const full = Math.round(Math.min(1, Math.max(0, share)) * width);
  return "█".repeat(full) + "░".repeat(width - full);
}
