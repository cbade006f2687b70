import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import {
  MUTATION_AREA_NAMES,
  MUTATION_AREAS,
  type MutationAreaName,
} from "../test/mutation/areas.ts";
import { type AreaScore, floorOf, scorePctOf, writeScores } from "../test/mutation/score.ts";

/**
 * `npm run mutate -- [--area signer] [--date 2026-11-21]`: puts small faults into the code, one at a
 * time and in a copy, and counts those that the tests notice. Writes `test/mutation/score.json`.
 */
const { values } = parseArgs({
  options: { area: { type: "string" }, date: { type: "string" } },
});
const date = values.date ?? new Date().toISOString().slice(0, "2026-11-21".length);
if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw new Error(`--date is no day: ${date}`);
const asked = MUTATION_AREA_NAMES.filter(
  (name) => values.area === undefined || name === values.area,
);
if (asked.length === 0) throw new Error(`--area is one of ${MUTATION_AREA_NAMES.join(", ")}`);
const low: string[] = [];
for (const name of asked) {
  const score = await scoreOf(name);
  writeScores(new Map([[name, score]]));
  process.stdout.write(`${name} ${JSON.stringify(score)}\n`);
  if (score.scorePct < floorOf(name)) low.push(name);
}
if (low.length > 0) process.stdout.write(`below their floor: ${low.join(", ")}\n`);
process.exitCode = low.length > 0 ? 1 : 0;

async function scoreOf(name: MutationAreaName): Promise<AreaScore> {
  const stryker = new Stryker({
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    mutate: [...MUTATION_AREAS[name].mutate],
    concurrency: 1,
    coverageAnalysis: "perTest",
    vitest: { configFile: `test/mutation/suites/${name}.ts`, related: false },
    // What no test reads is not copied.
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
    // One that does not even start was noticed by nobody's test, and counts for nothing.
    mutants: count("Killed") + count("Timeout") + count("Survived") + count("NoCoverage"),
    killed: count("Killed"),
    timeout: count("Timeout"),
    survived: count("Survived"),
    noCoverage: count("NoCoverage"),
  };
  return { date, ...found, scorePct: scorePctOf(found) };
}
