import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ROOT } from "../../test/source-tree.ts";
import type { CatchingSimulation, PlantedBug } from "./planted-bugs.ts";

/** A planted bug, with the tests and the finding of the simulator that have caught it. */
export interface BugCatchers {
  readonly name: string;
  readonly harm: string;
  /**
   * True when the bug names a simulation of its own. That simulation must then catch it; a failing test alone does not
   * suffice.
   */
  readonly needsSimulation: boolean;
  /** The first finding of the simulator; null when it had none, or was not run. */
  readonly bySimulation: string | null;
  /** The tests that failed, as `file: name`. */
  readonly byTests: readonly string[];
}

/**
 * The size of the runs. `steps` is the number of steps of the simulator for a bug that names no simulation of its own.
 */
export interface CatchPlan {
  readonly seeds: number;
  readonly steps: number;
  readonly depth: string;
  /**
   * The number of failed tests after which a bug's other tests are not run. The bug may make each of them wait for its
   * time limit.
   */
  readonly failures: number;
}

/**
 * Plants the bug in a copy of the sources and runs the bug's tests on the copy. The simulator also runs on the copy
 * when the bug names a simulation, or when no test caught the bug.
 */
export function findCatchers(bug: PlantedBug, plan: CatchPlan): BugCatchers {
  const copy = copyOfSources();
  try {
    for (const edit of bug.edits) plant(join(copy, edit.file), edit);
    const { name, harm } = bug;
    const needsSimulation = bug.simulation !== undefined;
    const byTests = runTests(copy, bug.tests, plan);
    const isOpen = needsSimulation || byTests.length === 0;
    const bySimulation = isOpen ? simulate(copy, { ...plan, ...bug.simulation }) : null;
    return { name, harm, needsSimulation, bySimulation, byTests };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/**
 * Copies the files that git tracks. Links the installed packages, except those of this repository, which are linked to
 * the copy.
 */
function copyOfSources(): string {
  const copy = mkdtempSync(join(tmpdir(), "propgate-planted-"));
  const files = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).trim();
  for (const file of files.split("\n")) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  const modules = join(copy, "node_modules");
  mkdirSync(join(modules, "@propgate"), { recursive: true });
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    if (name !== "@propgate") symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }
  for (const name of readdirSync(join(copy, "packages")))
    symlinkSync(join(copy, "packages", name), join(modules, "@propgate", name));
  return copy;
}

function plant(path: string, { from, to }: { readonly from: string; readonly to: string }): void {
  const text = readFileSync(path, "utf8");
  if (text.split(from).length !== 2) throw new Error(`${path} must contain exactly once: ${from}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
}

interface SimulationFinding {
  readonly checker: string;
}

/**
 * Runs the simulator on the copy with several seeds until one has a finding of the bug's checker, or of any checker
 * when the bug names none. Null when no seed has one. One seed does not suffice, because the same seed makes a
 * different run after every change of the code.
 */
function simulate(copy: string, plan: CatchPlan & Partial<CatchingSimulation>): string | null {
  const { faults = "all", seeds, steps, checker: wanted } = plan;
  const isBroken = ({ checker }: SimulationFinding): boolean =>
    wanted === undefined || checker === wanted;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const which = ["--faults", faults, "--seed", String(seed), "--steps", String(steps)];
    const file = `simulated-${seed}.json`;
    runIn(copy, ["proofs/prove.ts", "simulate", ...which, "--json", file]);
    const { runs } = JSON.parse(readFileSync(join(copy, file), "utf8")) as {
      readonly runs: readonly { readonly findings: readonly SimulationFinding[] }[];
    };
    const found = runs.flatMap(({ findings }) => findings).find(isBroken);
    if (found !== undefined) return `seed ${seed}: ${JSON.stringify(found)}`.slice(0, 300);
  }
  return null;
}

function runTests(
  copy: string,
  tests: readonly string[],
  { depth, failures }: CatchPlan,
): readonly string[] {
  const vitest = "node_modules/vitest/vitest.mjs";
  const words = ["run", `--bail=${failures}`, "--reporter=json", "--outputFile=tests.json"];
  runIn(copy, [vitest, ...words, ...tests], { PROPGATE_DEPTH: depth });
  const { testResults } = JSON.parse(readFileSync(join(copy, "tests.json"), "utf8")) as {
    readonly testResults: readonly {
      readonly name: string;
      readonly assertionResults: readonly {
        readonly fullName: string;
        readonly status: string;
      }[];
    }[];
  };
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName }) => `${name.slice(name.indexOf("/", copy.length) + 1)}: ${fullName}`),
  );
}

function runIn(copy: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return spawnSync(process.execPath, ["--conditions=@propgate/source", ...args], {
    cwd: copy,
    encoding: "utf8",
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
}
