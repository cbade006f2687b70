import { type BurstCost, type RequestCost, readRaw } from "../../bench/performance/record.ts";
import type { ProofRow } from "../../proofs/proof.ts";
import { readProofRecord } from "../../proofs/records.ts";
import { markdownPage, markdownTable, type ReferencePage } from "./markdown.ts";

/** The load of the plan: each account reads once in 100 seconds and places an order once in 1,000 seconds. */
const PLAN = { accounts: 10_000_000, readsPerSecond: 100_000, ordersPerSecond: 10_000 } as const;
const DAY_S = 86_400;
/** Databases are planned at half of the rate that was measured. */
const SPARE = 2;

/** The page of the load that a service sustains, its worst figures, and a plan computed from them. */
export function capacityPage(): ReferencePage {
  return {
    path: "docs/reference/capacity.md",
    content: markdownPage({
      title: "Capacity",
      source: "bench/raw` and `proofs/records",
      blocks: [
        "What a service carries, and how bad it gets. The figures are of the last runs of [the benchmark](../../bench/results.md) and of [the proofs](reliability.md), where service, database and load generator shared one machine. A rate on your machines differs: measure it with `npm run bench`.",
        ...worst(),
        ...requests(),
      ],
    }),
  };
}

function worst(): readonly string[] {
  const bursts = readRaw("bursts")?.results ?? [];
  const costs = readRaw("requests")?.results ?? [];
  const failures = readProofRecord("failover")?.rows ?? [];
  return [
    "## The worst",
    "Plan with these rather than with a median. In a burst, stops still fire in the order of the quotes, but later. While a node's work is taken over, its accounts have no orders, and their stops and limits wait too.",
    markdownTable(
      ["What happens", "Worst figure", "Measured by"],
      [
        ...bursts.map((burst) => burstLine(burst)),
        ...costs.map((cost) => slowestLine(cost)),
        ...failures.map((row) => failureLine(row)),
      ],
    ),
    "No power cut was tried, and no run had more than three nodes, two databases and 100,000 accounts with positions.",
  ];
}

function burstLine({ what, accounts, boardBehindMs, seconds }: BurstCost): readonly string[] {
  return [
    `${whole(accounts)} accounts: ${what}`,
    `prices ${whole(boardBehindMs)} ms late; done after ${seconds.toFixed(1)} s`,
    "`npm run bench -- --part bursts`",
  ];
}

function slowestLine({ kind, store, openLoop }: RequestCost): readonly string[] {
  const { perSecond, p999Ms, maxMs } = openLoop;
  const name = kind === "read" ? "signed read" : "signed order";
  return [
    `a ${name}, ${store}, at ${whole(perSecond)}/s`,
    `one in a thousand took ${whole(p999Ms)} ms, the slowest ${whole(maxMs)} ms`,
    "`npm run bench -- --part requests`",
  ];
}

function failureLine(row: ProofRow): readonly string[] {
  const longest = (name: string): string => String(row[name] ?? "").replace(/^.* to /, "");
  return [
    `three nodes: ${row.failure ?? ""}`,
    `an account without orders for ${longest("without orders, s")} s, without reads for ${longest("without reads, s")} s`,
    "`npm run prove -- failover`",
  ];
}

function requests(): readonly string[] {
  const costs = readRaw("requests")?.results ?? [];
  const onServer = (kind: string): RequestCost | undefined =>
    costs.find((cost) => cost.kind === kind && cost.store === "PostgreSQL");
  const [read, order] = [onServer("read"), onServer("order")];
  if (read === undefined || order === undefined) return [];
  return [
    "## A request",
    markdownTable(
      ["", "A signed read", "A market order"],
      [
        ["processor time of the service", ...both((one) => `${whole(one.nodeMicroseconds)} µs`)],
        ["a second, all on one machine", ...both((one) => whole(one.perSecond))],
        ["log of PostgreSQL", ...both((one) => bytes(one.walBytes))],
        ["kept for ever, with indexes", ...both((one) => bytes(one.keptBytes))],
      ],
    ),
    "A nonce is also kept for ever: see [its bytes](performance.md#growth). History has no end, so the disk grows with every order.",
    `## A plan for ${whole(PLAN.accounts)} accounts`,
    `Computed, not tried. Each account reads once in 100 seconds and places an order once in 1,000 seconds. Databases run at half of the rates above; [several of them](../guides/scale.md) divide the accounts.`,
    markdownTable(
      ["Need", "Computed"],
      [
        ...planOf("reads", PLAN.readsPerSecond, read),
        ...planOf("orders", PLAN.ordersPerSecond, order),
        ["databases for both", whole(databases(read, order))],
      ],
    ),
  ];

  function both(text: (cost: RequestCost) => string): readonly string[] {
    return [read, order].flatMap((cost) => (cost === undefined ? [] : [text(cost)]));
  }
}

function planOf(
  name: string,
  perSecond: number,
  cost: RequestCost,
): readonly (readonly string[])[] {
  const kept = cost.keptBytes ?? 0;
  return [
    [
      `${name}: ${whole(perSecond)}/s × ${whole(cost.nodeMicroseconds)} µs`,
      `${((perSecond * cost.nodeMicroseconds) / 1e6).toFixed(1)} cores of the service`,
    ],
    ...(cost.walBytes === null
      ? []
      : [[`log of ${name}`, `${whole((perSecond * cost.walBytes) / 1e6)} MB/s`]]),
    ...(kept === 0
      ? []
      : [[`kept of ${name}`, `${whole((perSecond * kept * DAY_S) / 1e9)} GB a day`]]),
  ];
}

function databases(read: RequestCost, order: RequestCost): number {
  const full = PLAN.readsPerSecond / read.perSecond + PLAN.ordersPerSecond / order.perSecond;
  return Math.ceil(full * SPARE);
}

function bytes(value: number | null): string {
  return value === null ? "–" : `${whole(value)} bytes`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
