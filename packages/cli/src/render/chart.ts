const LEVELS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** The newest `width` values as one line of blocks, from their least to their greatest. */
export function sparkline(values: readonly number[], width: number): string {
  const shown = values.slice(-width);
  const least = Math.min(...shown);
  const span = Math.max(...shown) - least;
  return shown
    .map((value) => {
      // A line that never moved runs along the middle.
      const level = span === 0 ? 3 : Math.round(((value - least) / span) * (LEVELS.length - 1));
      return LEVELS[level] ?? "";
    })
    .join("");
}

/** How much of a limit is used, `████░░░░`; what is unknown is dotted, beyond the limit is full. */
export function bar(share: number | null, width: number): string {
  if (share === null || !Number.isFinite(share)) return "·".repeat(width);
  const full = Math.round(Math.min(1, Math.max(0, share)) * width);
  return "█".repeat(full) + "░".repeat(width - full);
}
