/**
 * A row of the results. It compares two measurements from the same run and has their ratio, because a single figure
 * depends on the machine.
 */
export interface Row {
  readonly what: string;
  readonly one: string;
  readonly other: string;
  readonly ratio: number;
  readonly bar: string;
}

/** The rows as a table in markdown. */
export function ratioTable(rows: readonly Row[]): string {
  return markdownTable(
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

/** A table in markdown. Numbers are rounded and get thousands separators. */
export function markdownTable(
  heads: readonly string[],
  lines: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => (typeof cell === "number" ? wholeNumberText(cell) : cell)).join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...lines.map(line)].join("\n");
}

/** The median of the values, or the greater of the two middle ones when their number is even. 0 without values. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** The value rounded to a whole number, with thousands separators. */
export function wholeNumberText(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
