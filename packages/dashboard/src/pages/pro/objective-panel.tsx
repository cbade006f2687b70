import type { Objective, ObjectiveDay } from "@propgate/contract";
import { dayText } from "../../format/times.ts";
import { Figure } from "../../parts/figure.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Badge } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { ObjectiveChart } from "./objective-chart.tsx";
import { objectiveSeries, objectiveText, thresholdText } from "./objective-series.ts";

interface ObjectivePanelProps {
  readonly objective: Objective;
  /** The name of the objective's value in the API. */
  readonly field: string;
  readonly days: {
    readonly data: readonly ObjectiveDay[] | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
}

/** One objective with its value, its threshold and its days. */
export function ObjectivePanel({ objective, field, days }: ObjectivePanelProps) {
  const { key, label, value } = objective;
  return (
    <Panel title={label} aside={<MetMark met={objective.met} />}>
      <div className="flex items-baseline justify-between gap-4">
        <span className="text-xl font-semibold">
          <Figure value={value} as={(exact) => objectiveText(key, exact)} field={field} />
        </span>
        <span className="figure text-muted">{thresholdText(objective)}</span>
      </div>
      <p className="mt-1 min-h-10 text-xs text-muted">{OBJECTIVE_NOTES[key]}</p>
      <div className="mt-2 min-h-24">
        <Loaded query={days} heightClass="min-h-24">
          {(all) => <Days objective={objective} all={all} />}
        </Loaded>
      </div>
    </Panel>
  );
}

const OBJECTIVE_NOTES: Readonly<Record<Objective["key"], string>> = {
  return: "The gain of the lesser of balance and equity, relative to the pro account's size.",
  calmar:
    "The realized return (balance against the pro size) divided by the deepest drawdown below the end-of-day mark.",
  consistency: "The best day's gain as a share of all days together. Lower is steadier.",
  days: "Full UTC days since the first trade, without the day of that trade.",
};

/** Whether an objective is met, as a symbol and a word, so that it can be read without its color. */
function MetMark({ met }: { readonly met: boolean | null }) {
  if (met === null) return <Badge kind="info">? unknown</Badge>;
  return met ? <Badge kind="ok">✓ met</Badge> : <Badge kind="notice">○ not met</Badge>;
}

function Days({
  objective,
  all,
}: {
  readonly objective: Objective;
  readonly all: readonly ObjectiveDay[];
}) {
  const points = objectiveSeries(objective.key, all);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) {
    return (
      <p className="py-6 text-center text-muted">
        The chart begins with the first full trading day.
      </p>
    );
  }
  return (
    <>
      <ObjectiveChart objective={objective} points={points} />
      <div className="figure mt-1 flex justify-between text-xs text-muted" aria-hidden="true">
        <span>{dayText(first.dayStartMs)}</span>
        <span>- - threshold</span>
        <span>{dayText(last.dayStartMs)}</span>
      </div>
    </>
  );
}
