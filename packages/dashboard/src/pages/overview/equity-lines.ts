import { type EquityPoint, LOSS_RULES, type LossRuleWord, lossRuleLabel } from "@propgate/contract";
import type { LineStroke } from "../../parts/chart/line-mark.tsx";

/** How a line is drawn. Every line has a stroke of its own, so that it can be recognised without its colour. */
interface Stroke {
  /** The CSS class of the line's colour in the legend. */
  readonly tone: string;
  /** The CSS variable of the colour of `tone`, for the canvas, which cannot use a class. */
  readonly colour: string;
  readonly style: LineStroke;
  readonly width: 1 | 2;
}

/** A line of the chart, which is also a row of its legend. */
export interface EquityLine extends Stroke {
  /** `equity`, `balance`, or the rule of a floor. */
  readonly key: string;
  readonly name: string;
  /**
   * The field of the API that has the present figure; null for a floor, because its field depends on which limits the
   * account has.
   */
  readonly field: string | null;
  readonly isFloor: boolean;
  /** The value at a point; null where the line has none. */
  readonly valueAt: (point: EquityPoint) => number | null;
}

const EQUITY: EquityLine = {
  key: "equity",
  name: "Equity",
  field: "account.currentEquity",
  isFloor: false,
  tone: "text-accent",
  colour: "--accent",
  style: "solid",
  width: 2,
  valueAt: ({ equity }) => equity,
};

const BALANCE: EquityLine = {
  key: "balance",
  name: "Balance",
  field: "account.currentBalance",
  isFloor: false,
  tone: "text-muted",
  colour: "--muted",
  style: "solid",
  width: 1,
  valueAt: ({ balance }) => balance,
};

const MAX_LOSS: Stroke = { tone: "text-danger", colour: "--danger", style: "dotted", width: 2 };

/**
 * The strokes of the floors. Only one of the two maximum loss limits binds an account at a time, so they share a
 * stroke.
 */
const FLOORS: Readonly<Record<LossRuleWord, Stroke>> = {
  dailyLoss: { tone: "text-warn", colour: "--warn", style: "dashed", width: 2 },
  static: MAX_LOSS,
  eod_trailing: MAX_LOSS,
};

/** The stroke of a floor whose rule is not in the table, because a newer service has sent it. */
const OTHER: Stroke = { tone: "text-notice", colour: "--notice", style: "longDashed", width: 2 };
const STROKES: ReadonlyMap<string, Stroke> = new Map(Object.entries(FLOORS));

/** The lines in the order of the legend: equity, balance, and the floor of each limit that these points have. */
export function equityLines(points: readonly EquityPoint[]): readonly EquityLine[] {
  const rules = new Set(points.flatMap(({ floors }) => Object.keys(floors)));
  const known: readonly string[] = LOSS_RULES.filter((rule) => rules.has(rule));
  const others = [...rules].filter((rule) => !known.includes(rule));
  return [EQUITY, BALANCE, ...[...known, ...others].map(floorLine)];
}

function floorLine(rule: string): EquityLine {
  return {
    key: rule,
    name: `${lossRuleLabel(rule)} floor`,
    field: null,
    isFloor: true,
    ...(STROKES.get(rule) ?? OTHER),
    valueAt: ({ floors }) => Object.entries(floors).find(([key]) => key === rule)?.[1] ?? null,
  };
}
