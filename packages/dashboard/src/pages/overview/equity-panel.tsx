import {
  type AccountStateView,
  EQUITY_WINDOWS,
  type EquityHistory,
  type EquityPoint,
  type EquityWindow,
} from "@propgate/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import { read } from "../../api/call.ts";
import { moneyText, signedMoneyText } from "../../format/numbers.ts";
import { timeText } from "../../format/times.ts";
import { useAccountLive } from "../../live/account-live.tsx";
import { Switcher } from "../../parts/field.tsx";
import { Figure } from "../../parts/figure.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Empty } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { LINE_DASHES, LINE_TONES, LINES } from "./equity-lines.ts";
import { drawnPoints, equitySummary, knownPoints, livePoint } from "./equity-series.ts";

const EquityCanvas = lazy(async () => ({
  default: (await import("./equity-canvas.tsx")).EquityCanvas,
}));

const ROOM = "h-72 sm:h-80";
const LOADING_ROOM = "min-h-104 sm:min-h-112";
/** The history grows on the service; between two looks the line ends at the live point. */
const REFETCH_MS = 60_000;

const WINDOW_WORDS: Readonly<Record<EquityWindow, string>> = {
  "1D": "In the last day",
  "1W": "In the last week",
  "1M": "In the last month",
  all: "Since the account began",
};

/** Equity, balance and the two floors over time: the room between them is what may be lost. */
export function EquityPanel({ state }: { readonly state: AccountStateView }) {
  const { accountId } = useAccountLive();
  const [window, setWindow] = useState<EquityWindow>("1D");
  const history = useQuery({
    queryKey: ["account", accountId, "equity", window],
    queryFn: ({ signal }) =>
      read<EquityHistory>(`accounts/${accountId}/equity?window=${window}`, signal),
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
      <Loaded query={history} room={LOADING_ROOM}>
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
        <Empty title="No equity yet">
          The line begins with the first moment at which the account can be valued. It needs no
          trade, only a price for what is open.
        </Empty>
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
          <EquityCanvas points={drawn} fitTo={history.window} onPoint={setPointed} />
        </Suspense>
      </div>
      <Summary points={points} window={history.window} />
      <p className="mt-1 text-xs text-muted">
        Chart by{" "}
        <a className="underline" href="https://www.tradingview.com/" rel="noreferrer">
          TradingView
        </a>{" "}
        Lightweight Charts{"\u2122"}, {"\u00A9"} 2025 TradingView, Inc.
      </p>
    </figure>
  );
}

/** Every line with its own stroke, so that nobody has to tell them apart by colour. */
function Legend({ point, isNow }: { readonly point: EquityPoint; readonly isNow: boolean }) {
  return (
    <div className="mb-2 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-xs">
      {LINES.map(({ key, name, field }) => (
        <span key={key} className="inline-flex items-center gap-1.5 whitespace-nowrap">
          <svg width="24" height="8" aria-hidden="true" className={LINE_TONES[key]}>
            <line
              x1="0"
              x2="24"
              y1="4"
              y2="4"
              stroke="currentColor"
              strokeWidth={key === "balance" ? 1 : 2}
              strokeDasharray={LINE_DASHES[key]}
            />
          </svg>
          <span className="text-muted">{name}</span>
          <Figure value={point[key]} as={moneyText} {...(field === null ? {} : { field })} />
        </span>
      ))}
      <span className="figure ml-auto text-muted">
        {isNow ? "now" : `${timeText(point.atMs)} UTC`}
      </span>
    </div>
  );
}

/** What the picture shows, in words. */
function Summary({
  points,
  window,
}: {
  readonly points: readonly EquityPoint[];
  readonly window: EquityWindow;
}) {
  const summary = equitySummary(points);
  if (summary === null) return null;
  const { first, last, lowest, highest } = summary;
  const change = last.equity - first.equity;
  return (
    <figcaption className="figure mt-2 min-h-10 text-xs text-muted" data-summary>
      {WINDOW_WORDS[window]} equity went from {moneyText(first.equity)} to {moneyText(last.equity)}{" "}
      USD ({signedMoneyText(change)}), lowest {moneyText(lowest.equity)} at {timeText(lowest.atMs)}{" "}
      UTC, highest {moneyText(highest.equity)} at {timeText(highest.atMs)} UTC. {floorsText(last)}
    </figcaption>
  );
}

function floorsText({ equity, dailyFloor, maxFloor }: EquityPoint): string {
  const above = (floor: number): string => `${moneyText(equity - floor)} above`;
  if (dailyFloor === null && maxFloor === null) return "No floor binds it now.";
  const daily = dailyFloor === null ? "no" : above(dailyFloor);
  const max = maxFloor === null ? "no" : above(maxFloor);
  return `At the end it is ${daily} the daily loss floor and ${max} the maximum loss floor.`;
}
