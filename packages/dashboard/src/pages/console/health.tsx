import type { ServiceHealth } from "@propgate/contract";
import { useQuery } from "@tanstack/react-query";
import { plainText } from "../../format/numbers.ts";
import { agoText, durationText, timeText } from "../../format/times.ts";
import { Facts, Figure, Tile } from "../../parts/figure.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { Badge, EmptyList, Notice } from "../../parts/notice.tsx";
import { Panel } from "../../parts/panel.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { JournalProof } from "./journal-proof.tsx";
import { NetworkPanel } from "./network-panel.tsx";
import { healthQuery } from "./queries.ts";
import { RestoredNotice } from "./restored-notice.tsx";

/** The age of the oldest due work is highlighted when it is greater than this. */
const LATE_MS = 60_000;
/** The age of the newest quote is highlighted when it is greater than this. */
const SILENT_MS = 60_000;

/** The health of the service, and the proof of its journals. */
export function HealthPage() {
  const health = useQuery(healthQuery);
  return (
    <div className="flex flex-col gap-4">
      <h1 className="sr-only">Health</h1>
      <Loaded query={health} heightClass="min-h-screen">
        {(data) => <Health health={data} />}
      </Loaded>
      <JournalProof />
    </div>
  );
}

function Health({ health }: { readonly health: ServiceHealth }) {
  const { nowMs, prices, storageFault } = health;
  return (
    <>
      {storageFault !== null && (
        <Notice kind="danger">
          <p className="font-semibold">
            The database has been failing since {timeText(storageFault.sinceMs)} UTC
          </p>
          <p className="mt-1 font-mono text-xs wrap-anywhere">{storageFault.reason}</p>
          <p className="mt-1">
            Orders are rejected until it answers again. Check its log, its disk and its connections.
          </p>
        </Notice>
      )}
      {health.restored !== null && <RestoredNotice restored={health.restored} />}
      {health.historiesChanged > 0 && (
        <Notice kind="danger">
          <p className="font-semibold">
            The database has lost lines of {plainText(health.historiesChanged)} accounts
          </p>
          <p className="mt-1">
            A failover or a restore under the running service took them. The accounts go on from
            what the database has.
          </p>
        </Notice>
      )}
      {health.linesOfFuture !== null && (
        <Notice kind="danger">
          <p className="font-semibold">
            {plainText(health.linesOfFuture.accounts)} accounts have a journal line of the future
          </p>
          <p className="mt-1">
            A clock was wrong. Nothing of these accounts is carried out until{" "}
            {timeText(health.linesOfFuture.untilMs)} UTC.
          </p>
        </Notice>
      )}
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <Tile label="Storage" note={health.storage === "pglite" ? "embedded" : "PostgreSQL"}>
          {storageFault === null ? (
            <span className="text-gain">OK</span>
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
        <Tile label="Scheduled work" note="day ends, carry, payout weeks">
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
              <EmptyList title="No warnings">
                Rejected prices and expiring calendars are listed here.
              </EmptyList>
            }
          />
        </Panel>
        <Panel title="Late work">
          <Facts rows={lateRows(health)} />
        </Panel>
      </div>
      {health.network !== null && <NetworkPanel network={health.network} nowMs={nowMs} />}
      <Panel title="Jobs" flush>
        <Table
          label="Repeated jobs"
          columns={JOBS}
          rows={health.jobs}
          keyOf={({ name }) => name}
          empty={
            <EmptyList title="No jobs">The service's recurring jobs are listed here.</EmptyList>
          }
        />
      </Panel>
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

function ClockWork({ health: { clockWork, nowMs } }: { readonly health: ServiceHealth }) {
  if (clockWork === null) return <span className="text-danger">unknown</span>;
  const { oldestDueAtMs } = clockWork;
  if (oldestDueAtMs === null) return <span className="text-gain">Up to date</span>;
  const lateMs = Math.max(0, nowMs - oldestDueAtMs);
  return <span className={lateMs > LATE_MS ? "text-warn" : ""}>{durationText(lateMs)} behind</span>;
}

function lateRows({
  clockWork,
  prices,
  nowMs,
}: ServiceHealth): readonly (readonly [string, string])[] {
  return [
    ["Service time, UTC", timeText(nowMs)],
    ...prices.blocked.map(
      ({ pair, isRetired, state, holders }) =>
        [
          `${isRetired ? "Retired" : "Blocked"} ${pair}`,
          `${plainText(holders)} accounts hold it, prices ${state}`,
        ] as const,
    ),
    ...prices.unjudged.map(
      ({ pair, reason, accounts, sinceMs }) =>
        [
          `Not judged by ${pair}`,
          `${AWAITED_REASONS[reason]}: ${plainText(accounts)} accounts since ${timeText(sinceMs)}`,
        ] as const,
    ),
    ["Accounts with overdue work", plainText(clockWork?.waiting)],
    ["Oldest due since", timeText(clockWork?.oldestDueAtMs)],
    ["Last delay", durationText(clockWork?.newestLatenessMs)],
    ...(clockWork?.awaited ?? []).map(
      ({ pair, reason, accounts, oldestDueAtMs }) =>
        [
          `Waiting for ${pair}`,
          `${AWAITED_REASONS[reason]}: ${plainText(accounts)} accounts since ${timeText(oldestDueAtMs)}`,
        ] as const,
    ),
  ];
}

type Awaited = NonNullable<ServiceHealth["clockWork"]>["awaited"][number];

const AWAITED_REASONS: Readonly<Record<Awaited["reason"], string>> = {
  missing: "no price yet",
  halted: "halted",
  beforeStart: "no price since the start",
  adjusted: "no price since the corporate action",
  stale: "no fresh price",
};

type Job = ServiceHealth["jobs"][number];

const JOBS: readonly Column<Job>[] = [
  { head: "Job", cell: ({ name }) => name, phone: "title" },
  { head: "Last run", cell: ({ lastRunAtMs }) => timeText(lastRunAtMs), phone: "figure" },
  {
    head: "Duration",
    right: true,
    cell: ({ lastDurationMs }) => durationText(lastDurationMs),
    phone: "figure",
  },
  {
    head: "Failures in a row",
    right: true,
    cell: ({ failures }) => (
      <span className={failures > 0 ? "text-danger" : ""}>{plainText(failures)}</span>
    ),
    phone: "figure",
  },
  {
    head: "Last error",
    cell: ({ lastError }) => (
      <span className="font-mono text-xs wrap-anywhere">{lastError ?? "--"}</span>
    ),
    phone: "figure",
  },
];

type Warning = ServiceHealth["prices"]["warnings"][number];

const WARNINGS: readonly Column<Warning>[] = [
  {
    head: "Source",
    cell: ({ source }) => <Badge kind="notice">{source}</Badge>,
    phone: "title",
  },
  { head: "Warning", cell: ({ reason }) => reason, phone: "figure" },
  { head: "Count", right: true, cell: ({ count }) => plainText(count), phone: "figure" },
  {
    head: "First seen",
    cell: ({ first }) => <span className="font-mono text-xs wrap-anywhere">{first ?? "--"}</span>,
    phone: "figure",
  },
];
