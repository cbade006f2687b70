import {
  type BurstCost,
  type GrowthCurve,
  type GrowthPoint,
  type ProfileShare,
  type RawRecord,
  type RequestCost,
  readRaw,
} from "../../bench/performance/record.ts";
import { growthChart } from "./chart.ts";
import { codeBlock, markdownPage, markdownTable, type ReferencePage } from "./markdown.ts";

const KINDS = { read: "signed GET positions", order: "signed MARKET order" } as const;
const NOT_RUN = "It has not run yet.";
const QUICK =
  "**A quick run.** It shows that every row works. Its figures are no measurement: the run was short, and other programs used the machine.";

/** The page of the last runs of the benchmark, from the raw results in `bench/raw`, and its drawings. */
export function performancePages(): readonly ReferencePage[] {
  return [
    {
      path: "docs/reference/performance.md",
      content: markdownPage({
        title: "Performance",
        source: "bench/raw",
        blocks: [
          "The cost of a request and its latency. `npm run bench -- --write` measures again, and `bench/results.md` has the ratios with their bars. Service, PostgreSQL and load generator share the machine, so processor time says more than a rate.",
          ...requestSection(readRaw("requests")),
          ...profileSection(readRaw("profile")),
          ...burstSection(readRaw("bursts")),
          ...growthSection(readRaw("growth")),
        ],
      }),
    },
    ...drawings(readRaw("growth")),
  ];
}

/** The charts of growth; each becomes a drawing beside the page. */
const CHARTS: readonly {
  readonly name: string;
  readonly title: string;
  readonly sizes: string;
  readonly unit: string;
  readonly curves: readonly (readonly [curve: GrowthCurve, name: string])[];
}[] = [
  {
    name: "read-by-accounts",
    title: "Processor time of a signed read",
    sizes: "accounts",
    unit: "µs",
    curves: [
      ["readNodeByAccounts", "node"],
      ["readDatabaseByAccounts", "PostgreSQL"],
    ],
  },
  {
    name: "order-by-accounts",
    title: "Processor time of a signed order",
    sizes: "accounts",
    unit: "µs",
    curves: [
      ["orderNodeByAccounts", "node"],
      ["orderDatabaseByAccounts", "PostgreSQL"],
    ],
  },
  {
    name: "wal-by-accounts",
    title: "WAL of a signed request",
    sizes: "accounts",
    unit: "bytes",
    curves: [
      ["orderWalByAccounts", "order"],
      ["readWalByAccounts", "read"],
    ],
  },
  {
    name: "database-by-nonces",
    title: "PostgreSQL's processor time of a signed read after a checkpoint",
    sizes: "nonces",
    unit: "µs",
    curves: [["readDatabaseByNonces", "PostgreSQL"]],
  },
  {
    name: "wal-by-nonces",
    title: "WAL of a signed read after a checkpoint, and bytes of a stored nonce",
    sizes: "nonces",
    unit: "bytes",
    curves: [
      ["readWalByNonces", "WAL of a read"],
      ["bytesByNonces", "bytes of a nonce"],
    ],
  },
  {
    name: "quote-by-orders",
    title: "A quote on a pair with resting orders, none triggered",
    sizes: "resting orders",
    unit: "ns",
    curves: [["quoteByRestingOrders", "quote"]],
  },
];

function pointsOf(results: readonly GrowthPoint[], curve: GrowthCurve) {
  return results
    .filter((point) => point.curve === curve)
    .map(({ size, value }) => [size, value] as const);
}

function drawings(record: RawRecord<GrowthPoint> | null): readonly ReferencePage[] {
  if (record === null) return [];
  return CHARTS.map(({ name, curves, ...chart }) => ({
    path: `docs/reference/performance-${name}.svg`,
    content: growthChart({
      ...chart,
      series: curves.map(([curve, label]) => ({
        name: label,
        points: pointsOf(record.results, curve),
      })),
    }),
  }));
}

function growthSection(record: RawRecord<GrowthPoint> | null): readonly string[] {
  if (record === null) return ["## Growth", NOT_RUN];
  return [
    "## Growth",
    ...origin(record),
    "Costs by the number of accounts, nonces and resting orders. The accounts and nonces are rows that were filled in; a few accounts among them send the requests.",
    ...CHARTS.flatMap(({ name, title, sizes, unit, curves }) => [
      `### ${title}`,
      `![${title}](performance-${name}.svg)`,
      markdownTable(
        [sizes, ...curves.map(([, label]) => `${label}, ${unit}`)],
        pointsOf(record.results, curves[0]?.[0] ?? "quoteByRestingOrders").map(([size], index) => [
          whole(size),
          ...curves.map(([curve]) => whole(pointsOf(record.results, curve)[index]?.[1] ?? 0)),
        ]),
      ),
    ]),
  ];
}

function requestSection(record: RawRecord<RequestCost> | null): readonly string[] {
  if (record === null) return ["## Requests", NOT_RUN];
  const { results } = record;
  const named = ({ kind, store }: RequestCost): readonly string[] => [KINDS[kind], store];
  return [
    "## Requests",
    ...origin(record),
    "Processor time, WAL and bytes are of one request. Kept are the bytes of journal and receipt with their indexes, for ever. A nonce has its bytes for a day; then it is merged into a hash, with the bytes under “bytes of a stored nonce”. WAL is of the whole PostgreSQL server. A dash marks a figure that only the process of the embedded store could read.",
    markdownTable(
      ["Request", "Store", "Rate", "p50", "p99", "node", "PostgreSQL", "WAL", "Kept", "Nonce"],
      results.map((cost) => [
        ...named(cost),
        `${whole(cost.perSecond)}/s`,
        milliseconds(cost.p50Ms),
        milliseconds(cost.p99Ms),
        microseconds(cost.nodeMicroseconds),
        microseconds(cost.databaseMicroseconds),
        bytes(cost.walBytes),
        bytes(cost.keptBytes),
        bytes(cost.nonceBytes),
      ]),
    ),
    "The embedded store beside PostgreSQL in the same run; the bar is 0.5.",
    markdownTable(
      ["Request", "Rate, embedded / PostgreSQL"],
      Object.entries(KINDS).map(([kind, name]) => [name, embeddedRatio(results, kind)]),
    ),
    "## Latency at a constant rate",
    "Requests are sent by a schedule, at half of the greatest rate above, however late the answers are. Latency counts from the scheduled moment, so a stall counts for each request that was due during it.",
    markdownTable(
      ["Request", "Store", "Rate", "Requests", "p50", "p99", "p99.9", "Maximum"],
      results.map(({ openLoop, ...cost }) => [
        KINDS[cost.kind],
        cost.store,
        `${whole(openLoop.perSecond)}/s`,
        whole(openLoop.requests),
        milliseconds(openLoop.p50Ms),
        milliseconds(openLoop.p99Ms),
        milliseconds(openLoop.p999Ms),
        milliseconds(openLoop.maxMs),
      ]),
    ),
  ];
}

function profileSection(record: RawRecord<ProfileShare> | null): readonly string[] {
  if (record === null) return ["## Where the time goes", NOT_RUN];
  const groups = [...new Set(record.results.map(({ group }) => group))];
  const of = (kind: string, name: string): number =>
    record.results.find((one) => one.kind === kind && one.group === name)?.microseconds ?? 0;
  const total = (kind: string): number => groups.reduce((sum, group) => sum + of(kind, group), 0);
  const line = (name: string, value: (kind: string) => number): readonly string[] => [
    name,
    ...Object.keys(KINDS).map((kind) => `${value(kind).toFixed(1)} µs`),
  ];
  return [
    "## Where the time goes",
    ...origin(record),
    "Processor time of one request in the process of the service, on PostgreSQL, by a profiler that looks every 0.2 ms. The profiler itself costs some of it. JSON that is written or read counts where it is called.",
    markdownTable(
      ["Part", ...Object.values(KINDS)],
      [
        ...groups
          .toSorted((one, other) => of("order", other) - of("order", one))
          .map((group) => line(group, (kind) => of(kind, group))),
        line("all", total),
      ],
    ),
  ];
}

function burstSection(record: RawRecord<BurstCost> | null): readonly string[] {
  if (record === null) return ["## Bursts", NOT_RUN];
  return [
    "## Bursts",
    ...origin(record),
    "The service with a feed of its own, on PostgreSQL. The board is behind by the age of the oldest quote that it does not show; the bar is one second. What the feed alone costs is measured in as many seconds afterwards.",
    markdownTable(
      ["Burst", "Accounts", "Settled", "Seconds", "Board behind", "node", "of it the feed", "WAL"],
      record.results.map((cost) => [
        cost.what,
        whole(cost.accounts),
        whole(cost.settled),
        cost.seconds.toFixed(1),
        `${whole(cost.boardBehindMs)} ms`,
        `${cost.nodeCpuSeconds.toFixed(1)} s`,
        cost.feedCpuSeconds === null ? "—" : `${cost.feedCpuSeconds.toFixed(1)} s`,
        `${cost.walMegabytesPerSecond.toFixed(2)} MB/s`,
      ]),
    ),
  ];
}

function origin({ at, command, isQuick, machine }: RawRecord<unknown>): readonly string[] {
  return [
    ...(isQuick ? [QUICK] : []),
    codeBlock("sh", command),
    `Run of ${at}, Node ${machine.node}, ${machine.cores} cores, ${machine.gigabytes} GB.`,
  ];
}

function embeddedRatio(costs: readonly RequestCost[], kind: string): string {
  const rate = (store: string): number =>
    costs.find((cost) => cost.kind === kind && cost.store === store)?.perSecond ?? Number.NaN;
  return (rate("embedded") / rate("PostgreSQL")).toFixed(2);
}

function milliseconds(value: number): string {
  return `${value.toFixed(1)} ms`;
}

function microseconds(value: number | null): string {
  return value === null ? "–" : `${whole(value)} µs`;
}

function bytes(value: number | null): string {
  return value === null ? "–" : `${whole(value)} B`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
