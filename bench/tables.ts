/**
 * A row compares two ways of doing the same, side by side in one run, and gives their ratio. A
 * single figure depends on the machine.
 */
export interface Row {
  readonly what: string;
  readonly one: string;
  readonly other: string;
  readonly ratio: number;
  readonly bar: string;
}

export function ratioTable(rows: readonly Row[]): string {
  return table(
    ["what", "here", "beside it", "ratio", "bar"],
    rows.map(({ what, one, other, ratio, bar }) => [
      what,
      one,
      other,
      `**${ratio.toFixed(2)}**`,
      bar,
    ]),
  );
}

/** The row in markdown. */
export function table(
  heads: readonly string[],
  lines: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => (typeof cell === "number" ? whole(cell) : cell)).join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...lines.map(line)].join("\n");
}

/** The greater of the two in the middle when the number of values is even; 0 without values. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
