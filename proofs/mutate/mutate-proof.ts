import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type OptionValues,
  type Proof,
  type ReportLine,
  textOption,
  WrongOptionsError,
} from "../proof.ts";
import { MUTATION_AREA_NAMES, MUTATION_AREAS, type MutationAreaName } from "./areas.ts";
import { type AreaScore, floorPctOf, mergeScores, parseScores, scorePctOf } from "./score.ts";

/**
 * Puts small faults into a copy of the code, one at a time, and counts the faults that the tests notice. A run of one
 * area keeps the other areas' rows of the former record.
 */
export const MUTATE: Proof = {
  name: "mutate",
  sentence: "Puts small faults into the code and counts those that the tests notice.",
  options: {
    area: {
      value: "NAME",
      fallback: "",
      meaning: `one of ${MUTATION_AREA_NAMES.join(", ")}; all areas without this option`,
    },
    date: { value: "DAY", fallback: "", meaning: "the day of the run; today", isLocal: true },
  },
  async run(given, report) {
    const date = dayOf(given);
    const rows: AreaScore[] = [];
    for (const name of areasOf(given)) rows.push(await scoreOf(name, { date, report }));
    return { rows };
  },
  read(result, former) {
    const rows = mergeScores(former, parseScores(result));
    const sum = (count: (row: AreaScore) => number): number =>
      rows.reduce((total, row) => total + count(row), 0);
    return {
      passed: rows.every((row) => row.scorePct >= floorPctOf(row.area)),
      figures: {
        mutants: sum((row) => row.mutants),
        noticed: sum((row) => row.killed + row.timeout),
      },
      rows,
    };
  },
  fullRuns: [
    {
      record: "mutation",
      title: "Mutation testing",
      promise:
        "Small faults are put into the most critical code, one at a time: signer, gates, sizing, drawdown and payouts. The score is the share of faults that a test notices.",
      size: {},
    },
  ],
};

function dayOf(given: OptionValues): string {
  const date = textOption(given, "date") || new Date().toISOString().slice(0, "2026-11-21".length);
  if (/^\d{4}-\d\d-\d\d$/.test(date)) return date;
  throw new WrongOptionsError(`--date must be a day such as 2026-11-21, not ${date}`);
}

function areasOf(given: OptionValues): readonly MutationAreaName[] {
  const area = textOption(given, "area");
  const areas = MUTATION_AREA_NAMES.filter((name) => area === "" || name === area);
  if (areas.length > 0) return areas;
  throw new WrongOptionsError(
    `--area must be one of ${MUTATION_AREA_NAMES.join(", ")}, not ${area}`,
  );
}

async function scoreOf(
  area: MutationAreaName,
  run: { readonly date: string; readonly report: ReportLine },
): Promise<AreaScore> {
  const { Stryker } = await import("@stryker-mutator/core");
  const stryker = new Stryker({
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    mutate: [...MUTATION_AREAS[area].mutate],
    concurrency: 1,
    coverageAnalysis: "perTest",
    vitest: { configFile: `proofs/mutate/suites/${area}.ts`, related: false },
    // Files that no test of an area reads are not copied.
    ignorePatterns: ["/docs", "/examples", "/bench", "/data", "**/dist", "**/*.tsbuildinfo"],
    reporters: ["clear-text", "progress-append-only"],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    tempDirName: join(tmpdir(), "propgate-mutation"),
    timeoutMS: 10_000,
    dryRunTimeoutMinutes: 30,
  });
  const mutants = await stryker.runMutationTest();
  const count = (status: string): number =>
    mutants.filter((mutant) => mutant.status === status).length;
  const found = {
    // A mutant that does not compile is not counted: the compiler rejects it, so it says nothing about the tests.
    mutants: count("Killed") + count("Timeout") + count("Survived") + count("NoCoverage"),
    killed: count("Killed"),
    timeout: count("Timeout"),
    survived: count("Survived"),
    uncovered: count("NoCoverage"),
  };
  const score = { area, ...found, scorePct: scorePctOf(found), run: run.date };
  run.report(JSON.stringify(score));
  return score;
}
