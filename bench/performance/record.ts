import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import type { OpenLoopResult } from "../open-loop.ts";
import type { Row } from "../result-tables.ts";

/** The last run of one part of the benchmark, which is kept as a file in `bench/raw`. */
export interface RawRecord<Result> {
  /** The day of the run, such as 2026-11-21. */
  readonly at: string;
  /** The command that runs the part again. */
  readonly command: string;
  /** True for a short run, whose figures only show that each row works. */
  readonly isQuick: boolean;
  readonly machine: Machine;
  readonly results: readonly Result[];
  /** Texts that the page of results shows below its table. */
  readonly sections?: readonly string[];
}

export interface Machine {
  readonly node: string;
  readonly cores: number;
  readonly gigabytes: number;
}

/** The type of one result of each part. The page of results shows results of type `Row` unchanged. */
export interface RawResults {
  readonly served: Row;
  readonly trades: Row;
  readonly greedy: Row;
  readonly streams: Row;
  readonly validator: Row;
  readonly feed: Row;
  readonly scale: Row;
  readonly requests: RequestCost;
  readonly bursts: BurstCost;
  readonly growth: GrowthPoint;
  readonly profile: ProfileShare;
}

export type RequestKind = "read" | "order";

/** The cost of one signed request on one store. A figure is null where it cannot be read. */
export interface RequestCost {
  readonly kind: RequestKind;
  readonly store: string;
  /** The median of the rounds, like all figures below without another description. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly nodeMicroseconds: number;
  readonly databaseMicroseconds: number | null;
  readonly walBytes: number | null;
  /** The bytes of journal and receipt with their indexes. */
  readonly keptBytes: number | null;
  /**
   * The bytes of the nonce with its index, as a mean of the rounds. A later merge of nonces leaves about a sixth of
   * these bytes.
   */
  readonly nonceBytes: number | null;
  /** The result of a load at a constant rate, which is half of the greatest rate that a round reached. */
  readonly openLoop: OpenLoopResult;
}

/** The processor time of one request that is spent in one group of functions. */
export interface ProfileShare {
  readonly kind: RequestKind;
  readonly group: string;
  readonly microseconds: number;
}

/** The cost of a burst: much work that is due at the same moment, or steady work at a high rate. */
export interface BurstCost {
  readonly what: string;
  readonly accounts: number;
  /** From the start of the burst until its work was done. For steady work, the length of the run. */
  readonly seconds: number;
  /** The number of accounts that the burst settled; 0 for steady work. */
  readonly settled: number;
  /** The greatest age of a quote that the board did not show yet. */
  readonly boardBehindMs: number;
  readonly walMegabytesPerSecond: number;
  readonly nodeCpuSeconds: number;
  /**
   * The processor time that the feed alone needs, measured after the burst over a period as long as the burst. Null
   * when it was not measured.
   */
  readonly feedCpuSeconds: number | null;
}

/** The cost that was measured at one number of accounts, nonces or resting orders. */
export interface GrowthPoint {
  readonly curve: GrowthCurve;
  /** The number of accounts, nonces or resting orders. */
  readonly size: number;
  readonly value: number;
}

/** The curves of growth. Each name has the cost on one axis and, after `By`, the number on the other axis. */
export type GrowthCurve =
  | "readNodeByAccounts"
  | "readDatabaseByAccounts"
  | "orderNodeByAccounts"
  | "orderDatabaseByAccounts"
  | "readWalByAccounts"
  | "orderWalByAccounts"
  | "readDatabaseByNonces"
  | "readWalByNonces"
  | "bytesByNonces"
  | "quoteByRestingOrders";

/** The record of the last run of a part; null when it has not run. */
export function readRaw<Part extends keyof RawResults>(
  part: Part,
): RawRecord<RawResults[Part]> | null {
  const path = rawPath(part);
  return existsSync(path)
    ? (JSON.parse(readFileSync(path, "utf8")) as RawRecord<RawResults[Part]>)
    : null;
}

/** Writes the run of a part to `bench/raw`, where it replaces the last run. */
export function writeRaw<Part extends keyof RawResults>(
  part: Part,
  run: Pick<RawRecord<RawResults[Part]>, "isQuick" | "results" | "sections">,
): void {
  const record: RawRecord<RawResults[Part]> = {
    at: new Date().toISOString().slice(0, 10),
    command: `npm run bench -- --part ${part}${run.isQuick ? " --quick" : ""}`,
    isQuick: run.isQuick,
    machine: {
      node: process.version,
      cores: cpus().length,
      gigabytes: Math.round(totalmem() / 2 ** 30),
    },
    results: run.results,
    ...(run.sections === undefined ? {} : { sections: run.sections }),
  };
  writeFileSync(rawPath(part), `${JSON.stringify(record, rounded, 2)}\n`);
}

/** Rounds to three decimals, because no measurement here is more exact than that. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 1_000) / 1_000 : value;
}

function rawPath(part: keyof RawResults): URL {
  return new URL(`../raw/${part}.json`, import.meta.url);
}
