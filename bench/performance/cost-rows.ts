import { type Row, wholeNumberText } from "../result-tables.ts";
import type { BurstCost, RequestCost } from "./record.ts";

/** Rows that compare the embedded store with PostgreSQL in the same run. */
export function embeddedCostRows(costs: readonly RequestCost[]): readonly Row[] {
  return (["read", "order"] as const).map((kind) => {
    const of = (store: string) => costs.find((cost) => cost.kind === kind && cost.store === store);
    const [embedded, postgres] = [of("embedded"), of("PostgreSQL")];
    if (embedded === undefined || postgres === undefined) throw new Error("a store is missing");
    return {
      what: `signed ${kind === "read" ? "GET positions" : "MARKET order"}, embedded store`,
      one: requestFigures(embedded),
      other: `PostgreSQL: ${requestFigures(postgres)}`,
      ratio: embedded.perSecond / postgres.perSecond,
      bar: "≥ 0.5",
    };
  });
}

/** A row for each burst. It compares the greatest age of a quote that the board did not show yet with one second. */
export function burstRows(costs: readonly BurstCost[]): readonly Row[] {
  return costs.map(({ what, accounts, boardBehindMs, ...cost }) => ({
    what: `${wholeNumberText(accounts)} accounts: ${what}`,
    one: `board ${wholeNumberText(boardBehindMs)} ms behind, ${wholeNumberText(cost.settled)} settled in ${cost.seconds.toFixed(1)} s, node ${cost.nodeCpuSeconds.toFixed(1)} s${feedPart(cost.feedCpuSeconds)}, WAL ${cost.walMegabytesPerSecond.toFixed(2)} MB/s`,
    other: "1,000 ms",
    ratio: boardBehindMs / 1_000,
    bar: "≤ 1",
  }));
}

function feedPart(feedCpuSeconds: number | null): string {
  return feedCpuSeconds === null ? "" : ` (feed ${feedCpuSeconds.toFixed(1)} s)`;
}

function requestFigures(cost: RequestCost): string {
  const { perSecond, nodeMicroseconds, databaseMicroseconds, walBytes, keptBytes, nonceBytes } =
    cost;
  const { openLoop } = cost;
  return [
    `${wholeNumberText(perSecond)}/s`,
    `node ${wholeNumberText(nodeMicroseconds)} µs`,
    ...(databaseMicroseconds === null
      ? []
      : [`database ${wholeNumberText(databaseMicroseconds)} µs`]),
    ...(walBytes === null ? [] : [`WAL ${wholeNumberText(walBytes)} B`]),
    ...(keptBytes === null ? [] : [`kept ${wholeNumberText(keptBytes)} B`]),
    ...(nonceBytes === null ? [] : [`nonce ${wholeNumberText(nonceBytes)} B`]),
    `at ${wholeNumberText(openLoop.perSecond)}/s p50 ${openLoop.p50Ms.toFixed(1)} p99 ${openLoop.p99Ms.toFixed(1)} p99.9 ${openLoop.p999Ms.toFixed(1)} ms`,
  ].join(", ");
}
