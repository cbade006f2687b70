import { burstRows, embeddedCostRows } from "../../bench/performance/cost-rows.ts";
import { type RawRecord, readRaw } from "../../bench/performance/record.ts";
import { markdownTable, type Row } from "../../bench/result-tables.ts";
import { markdownPage, type ReferencePage } from "./markdown.ts";

interface Ratios {
  readonly record: RawRecord<unknown> | null;
  readonly rows: readonly Row[];
}

/** The page of every ratio of the benchmark with the limit that it must meet, from the last run of each part. */
export function resultsPage(): ReferencePage {
  const parts = ratios();
  return {
    path: "bench/results.md",
    content: markdownPage({
      title: "Results",
      source: "bench/raw",
      blocks: [
        "A row compares two ways of doing the same, side by side in one run. Service, PostgreSQL and load generator share the machine. `npm run bench -- --part NAME --write` measures a part again.",
        markdownTable(
          ["what", "here", "beside it", "ratio", "bar", "run"],
          parts.flatMap(({ record, rows }) => rows.map((row) => cells(row, runOf(record)))),
        ),
        `Machines: ${[...new Set(parts.flatMap(({ record }) => machineOf(record)))].join("; ")}.`,
        ...parts.flatMap(({ record }) => record?.sections ?? []),
      ],
    }),
  };
}

function ratios(): readonly Ratios[] {
  const [requests, bursts] = [readRaw("requests"), readRaw("bursts")];
  const ofRows = (record: RawRecord<Row> | null): Ratios => ({
    record,
    rows: record?.results ?? [],
  });
  return [
    ofRows(readRaw("served")),
    ofRows(readRaw("greedy")),
    { record: requests, rows: requests === null ? [] : embeddedCostRows(requests.results) },
    { record: bursts, rows: bursts === null ? [] : burstRows(bursts.results) },
    ofRows(readRaw("trades")),
    ofRows(readRaw("streams")),
    ofRows(readRaw("validator")),
    ofRows(readRaw("feed")),
    ofRows(readRaw("scale")),
  ];
}

function cells({ what, one, other, ratio, bar }: Row, run: string): readonly string[] {
  return [what, one, other, `**${ratio.toFixed(2)}**`, bar, run];
}

function runOf(record: RawRecord<unknown> | null): string {
  if (record === null) return "never";
  return record.isQuick ? `${record.at}, quick: no measurement` : record.at;
}

function machineOf(record: RawRecord<unknown> | null): readonly string[] {
  if (record === null) return [];
  const { node, cores, gigabytes } = record.machine;
  return [`Node ${node}, ${cores} cores, ${gigabytes} GB`];
}
