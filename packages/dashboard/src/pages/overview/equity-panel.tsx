import {
  type AccountStateView,
  EQUITY_WINDOWS,
  type EquityHistory,
  type EquityPoint,
  type EquityWindow,
} from "@propgate/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Suspense, useMemo, useState } from "react";
import { getData } from "../../api/call.ts";
import { moneyText, signedMoneyText } from "../../format/numbers.ts";
import { timeText } from "../../format/times.ts";
import { lazyPage } from "../../frame/lazy-page.tsx";
import { useAccountLive } from "../../live/account-live.tsx";
import { hasEnded } from "../../live/near-limit.ts";
import { ChartNotice } from "../../parts/chart/chart-notice.tsx";
import { LineMark } from "../../parts/chart/line-mark.tsx";
import { Switcher } from "../../parts/field.tsx";
import { Figure } from "../../parts/figure.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { EmptyList } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { equityLines } from "./equity-lines.ts";
import { drawnPoints, equitySummary, knownPoints, livePoint } from "./equity-series.ts";

const EquityCanvas = lazyPage(() => import("./equity-canvas.tsx"), "EquityCanvas");

const ROOM = "h-72 sm:h-80";
const LOADING_ROOM = "min-h-104 sm:min-h-112";
/** How often the history is loaded again. Between two loads the line ends at the live point. */
const REFETCH_MS = 60_000;

const LAST_WORDS: Readonly<Record<EquityWindow, string>> = {
  "1D": "In the last day of the account",
  "1W": "In the last week of the account",
  "1M": "In the last month of the account",
  all: "Over the life of the account",
};
const WINDOW_WORDS: Readonly<Record<EquityWindow, string>> = {
  "1D": "In the last day",
  "1W": "In the last week",
  "1M": "In the last month",
  all: "Since the account began",
};

/** Equity, balance and the floors over time. The distance between equity and a floor is the remaining loss. */
export function EquityPanel({ state }: { readonly state: AccountStateView }) {
  const { accountId } = useAccountLive();
  const [window, setWindow] = useState<EquityWindow>(hasEnded(state) ? "all" : "1D");
  const history = useQuery({
    queryKey: ["account", accountId, "equity", window],
    queryFn: ({ signal }) =>
      getData<EquityHistory>(`accounts/${accountId}/equity?window=${window}`, signal),
    refetchInterval: REFETCH_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <Panel
      title="Equity"
      aside={
        <Switcher
          label="Window"
          value={window}
          options={EQUITY_WINDOWS.map((value) => ({
            value,
            text: value === "all" ? "All" : value,
          }))}
          onChange={setWindow}
        />
      }
    >
      <Loaded query={history} heightClass={LOADING_ROOM}>
        {(data) => <EquityFigure history={data} state={state} />}
      </Loaded>
    </Panel>
  );
}

function EquityFigure({
  history,
  state,
}: {
  readonly history: EquityHistory;
  readonly state: AccountStateView;
}) {
  const points = useMemo(() => knownPoints(history.points, livePoint(state)), [history, state]);
  const drawn = useMemo(() => drawnPoints(points), [points]);
  const [pointed, setPointed] = useState<EquityPoint | null>(null);
  const last = points.at(-1);
  if (last === undefined) {
    return (
      <div className={LOADING_ROOM}>
        <EmptyList title="No equity yet">
          The line begins when the account can first be valued. It needs no trade, only a price for
          every open position.
        </EmptyList>
      </div>
    );
  }
  return (
    <figure className="m-0">
      <Legend
        point={pointed ?? last}
        isNow={pointed === null && last.atMs === state.generatedAtMs}
      />
      <div className={`relative ${ROOM}`}>
        <Suspense fallback={<output className={`block ${ROOM}`} aria-label="Loading the chart" />}>
          <EquityCanvas
            points={drawn}
            fitTo={history.window}
            hasEnded={history.endedAtMs !== null}
            onPoint={setPointed}
          />
        </Suspense>
      </div>
      <Summary points={points} history={history} />
      <ChartNotice />
    </figure>
  );
}

/** The legend: each line that has a value at this point, with the value. */
function Legend({ point, isNow }: { readonly point: EquityPoint; readonly isNow: boolean }) {
  return (
    <div className="mb-2 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-xs">
      {equityLines([point]).map(({ key, name, field, tone, width, style, valueAt }) => (
        <span key={key} className="inline-flex items-center gap-1.5 whitespace-nowrap">
          <LineMark {...{ tone, width, style }} />
          <span className="text-muted">{name}</span>
          <Figure value={valueAt(point)} as={moneyText} {...(field === null ? {} : { field })} />
        </span>
      ))}
      <span className="figure ml-auto text-muted">
        {isNow ? "now" : `${timeText(point.atMs)} UTC`}
      </span>
    </div>
  );
}

/** The content of the chart in words. */
function Summary({
  points,
  history: { window, endedAtMs },
}: {
  readonly points: readonly EquityPoint[];
  readonly history: EquityHistory;
}) {
  const summary = equitySummary(points);
  if (summary === null) return null;
  const { first, last, lowest, highest } = summary;
  const change = last.equity - first.equity;
  return (
    <figcaption className="figure mt-2 min-h-10 text-xs text-muted" data-summary>
      {(endedAtMs === null ? WINDOW_WORDS : LAST_WORDS)[window]} equity went from{" "}
      {moneyText(first.equity)} to {moneyText(last.equity)} USD ({signedMoneyText(change)}), lowest{" "}
      {moneyText(lowest.equity)} at {timeText(lowest.atMs)} UTC, highest {moneyText(highest.equity)}{" "}
      at {timeText(highest.atMs)} UTC. {floorsText(last, endedAtMs)}
    </figcaption>
  );
}

function floorsText(point: EquityPoint, endedAtMs: number | null): string {
  const distances = equityLines([point])
    .filter(({ isFloor }) => isFloor)
    .map((line) => {
      const away = point.equity - (line.valueAt(point) ?? point.equity);
      return `${moneyText(Math.abs(away))} ${away < 0 ? "below" : "above"} the ${line.name.toLowerCase()}`;
    });
  if (distances.length === 0) return endedAtMs === null ? "No floor applies now." : "";
  const when = endedAtMs === null ? "Now it is" : "When the account ended it was";
  return `${when} ${new Intl.ListFormat("en").format(distances)}.`;
}
