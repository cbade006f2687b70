import type { EquityPoint } from "@propgate/contract";

export type LineKey = Exclude<keyof EquityPoint, "atMs">;

/** The lines in the order of the legend; `field` is the name in the API. */
export const LINES: readonly {
  readonly key: LineKey;
  readonly name: string;
  readonly field: string | null;
}[] = [
  { key: "equity", name: "Equity", field: "account.currentEquity" },
  { key: "balance", name: "Balance", field: "account.currentBalance" },
  { key: "dailyFloor", name: "Daily loss floor", field: null },
  { key: "maxFloor", name: "Maximum loss floor", field: null },
];

export const LINE_TONES: Readonly<Record<LineKey, string>> = {
  equity: "text-accent",
  balance: "text-muted",
  dailyFloor: "text-warn",
  maxFloor: "text-danger",
};

/** The same colours as values, because the canvas cannot use a class. */
export const LINE_COLOURS: Readonly<Record<LineKey, string>> = {
  equity: "--accent",
  balance: "--muted",
  dailyFloor: "--warn",
  maxFloor: "--danger",
};

/** The legend's strokes, matching the canvas: solid, thin solid, dashed, dotted. */
export const LINE_DASHES: Readonly<Record<LineKey, string>> = {
  equity: "none",
  balance: "none",
  dailyFloor: "6 4",
  maxFloor: "2 3",
};
