import type { ConsoleHealth } from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { plainText } from "../../format/numbers.ts";
import { agoText, durationText, timeText } from "../../format/times.ts";
import { Facts, Figure, Tile } from "../../parts/figure.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Badge, Empty, Notice } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { JournalProof } from "./journal-proof.tsx";
import { healthQuery } from "./queries.ts";

/** Later than this, what time brings about counts as late. */
const LATE_MS = 60_000;
/** A source that says nothing for so long is looked at. */
const SILENT_MS = 60_000;

/** Whether the service can be relied on, at a glance. */
export function HealthPage() {
  const health = useQuery(healthQuery);
  return (
    <div className="flex flex-col gap-4">
      <h1 className="sr-only">Health</h1>
      <Loaded query={health} room="min-h-96">
        {(data) => <Health health={data} />}
      </Loaded>
      <JournalProof />
    </div>
  );
}

function Health({ health }: { readonly health: ConsoleHealth }) {
  const { nowMs, prices, storageFault } = health;
  return (
    <>
      {storageFault !== null && (
        <Notice kind="danger">
          <p className="font-semibold">
            The database fails since {timeText(storageFault.sinceMs)} UTC
          </p>
          <p className="mt-1 font-mono text-xs wrap-anywhere">{storageFault.reason}</p>
          <p className="mt-1">
            No order is taken until it answers again. Look at its log, its disk and its connections.
          </p>
        </Notice>
      )}
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <Tile label="Storage" note={health.storage === "pglite" ? "embedded" : "PostgreSQL"}>
          {storageFault === null ? (
            <span className="text-gain">Well</span>
          ) : (
            <span className="text-danger">Failing</span>
          )}
        </Tile>
        <Tile label="Newest quote" note={`from ${prices.source}`}>
          <QuoteAge nowMs={nowMs} atMs={prices.newestQuoteAtMs} />
        </Tile>
        <Tile label="Pairs with a quote" note="of the catalogue">
          <Figure value={prices.pairs} as={plainText} field="health.prices.pairs" />
        </Tile>
        <Tile label="Clock work" note="ends of days, carry, weeks">
          <ClockWork health={health} />
        </Tile>
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        <Panel title="Warnings" flush>
          <Table
            label="Warnings"
            columns={WARNINGS}
            rows={prices.warnings}
            keyOf={({ source, reason }) => `${source} ${reason}`}
            empty={
              <Empty title="No warning">
                Prices that are turned away, and calendars that end, show here.
              </Empty>
            }
          />
        </Panel>
        <Panel title="What is late">
          <Facts rows={lateRows(health)} />
        </Panel>
      </div>
    </>
  );
}

function QuoteAge({ nowMs, atMs }: { readonly nowMs: number; readonly atMs: number | null }) {
  const isSilent = atMs === null || nowMs - atMs > SILENT_MS;
  return (
    <span className={isSilent ? "text-warn" : ""} title={timeText(atMs)}>
      {atMs === null ? "none yet" : agoText(atMs, nowMs)}
    </span>
  );
}

function ClockWork({ health: { clockWork, nowMs } }: { readonly health: ConsoleHealth }) {
  if (clockWork === null) return <span className="text-danger">unknown</span>;
  const { oldestDueAtMs } = clockWork;
  if (oldestDueAtMs === null) return <span className="text-gain">Up to date</span>;
  const lateMs = Math.max(0, nowMs - oldestDueAtMs);
  return <span className={lateMs > LATE_MS ? "text-warn" : ""}>{durationText(lateMs)} behind</span>;
}

function lateRows({ clockWork, nowMs }: ConsoleHealth): readonly (readonly [string, string])[] {
  return [
    ["Service's time, UTC", timeText(nowMs)],
    ["Accounts waiting", plainText(clockWork?.waiting)],
    ["Oldest of it due since", timeText(clockWork?.oldestDueAtMs)],
    ["Newest run was late by", durationText(clockWork?.newestLatenessMs)],
  ];
}

type Warning = ConsoleHealth["prices"]["warnings"][number];

const WARNINGS: readonly Column<Warning>[] = [
  {
    head: "From",
    cell: ({ source }) => <Badge kind="notice">{source}</Badge>,
    phone: "title",
  },
  { head: "What", cell: ({ reason }) => reason, phone: "figure" },
  { head: "Times", right: true, cell: ({ count }) => plainText(count), phone: "figure" },
  {
    head: "First",
    cell: ({ first }) => <span className="font-mono text-xs wrap-anywhere">{first ?? "--"}</span>,
    phone: "figure",
  },
];
