import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import type { OpenLoopResult } from "../open-loop.ts";
import type { Row } from "../tables.ts";

/** A run of one part of the benchmark: a file in `bench/raw`. */
export interface RawRecord<Result> {
  /** The day of the run, such as 2026-11-21. */
  readonly at: string;
  /** The command that repeats it. */
  readonly command: string;
  /** True for a short run, whose figures only show that each row works. */
  readonly isQuick: boolean;
  readonly machine: Machine;
  readonly results: readonly Result[];
  /** Text for the page of results, below its table. */
  readonly sections?: readonly string[];
}

export interface Machine {
  readonly node: string;
  readonly cores: number;
  readonly gigabytes: number;
}

/** The parts of the benchmark. The results of some are the rows of the page of results themselves. */
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

/** The cost of one signed request on one store. Null where it cannot be read. */
export interface RequestCost {
  readonly kind: RequestKind;
  readonly store: string;
  /** The median of the rounds, as all figures below. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly nodeMicroseconds: number;
  readonly databaseMicroseconds: number | null;
  readonly walBytes: number | null;
  /** Journal and receipt with their indexes. */
  readonly keptBytes: number | null;
  /** The nonce with its index, until a merge leaves about a sixth of it; the mean of the rounds. */
  readonly nonceBytes: number | null;
  /** At half of `perSecond`. */
  readonly openLoop: OpenLoopResult;
}

/** The processor time of one request that goes to one part of the process. */
export interface ProfileShare {
  readonly kind: RequestKind;
  readonly group: string;
  readonly microseconds: number;
}

/** Work that comes in one moment. */
export interface BurstCost {
  readonly what: string;
  readonly accounts: number;
  /** From the start of the burst until the last account was done; the length of the run for a steady one. */
  readonly seconds: number;
  /** Accounts that the burst settled; 0 when it settles none. */
  readonly settled: number;
  /** The maximum time that the board was behind its newest quote. */
  readonly boardBehindMs: number;
  readonly walMegabytesPerSecond: number;
  readonly nodeCpuSeconds: number;
  /**
   * The feed's share: the process's use in the same number of seconds after the load. Null when it was not measured.
   */
  readonly feedCpuSeconds: number | null;
}

/** A point of a growth curve. */
export interface GrowthPoint {
  readonly curve: GrowthCurve;
  /** Accounts, nonces or resting orders. */
  readonly size: number;
  readonly value: number;
}

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

/** The last run of a part; null when there has been none. */
export function readRaw<Part extends keyof RawResults>(
  part: Part,
): RawRecord<RawResults[Part]> | null {
  const path = rawPath(part);
  return existsSync(path)
    ? (JSON.parse(readFileSync(path, "utf8")) as RawRecord<RawResults[Part]>)
    : null;
}

/** Keeps the run of a part in `bench/raw`, in place of its last one. */
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

/** Three decimals are more than any measurement here has. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 1_000) / 1_000 : value;
}

function rawPath(part: keyof RawResults): URL {
  return new URL(`../raw/${part}.json`, import.meta.url);
}
