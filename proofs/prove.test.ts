import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT, readText } from "../test/source-tree.ts";
import { FAULT_TEST_FOLDERS } from "./faults/faults-proof.ts";
import { MUTATION_AREA_NAMES, MUTATION_AREAS } from "./mutate/areas.ts";
import { PLANTED_BUGS } from "./planted/planted-bugs.ts";
import { PLANTED } from "./planted/planted-proof.ts";
import { fullRunOf, proofUsage, proveCommandOf } from "./prove-usage.ts";
import { readProofRecord } from "./records.ts";
import { PROOFS } from "./registry.ts";

const RUNNER = ["--conditions=@propgate/source", "proofs/prove.ts"];

describe("the frame of the proofs", () => {
  test("the runner lists every proof with its sentence when it has no name", () => {
    const listed = execFileSync(process.execPath, RUNNER, { cwd: ROOT, encoding: "utf8" });
    for (const { name, sentence } of PROOFS)
      expect(listed).toContain(`${name.padEnd(10)}${sentence}`);
  });

  test.each([
    [["nothing"], "there is no proof named nothing"],
    [["cuts", "--cuts", "many"], "--cuts must be a whole number, not many"],
    [["kills", "--cuts", "3"], "Unknown option '--cuts'"],
    [["mutate", "--area", "all"], "--area must be one of signer, gates"],
    [["simulate", "--faults", "fire"], "--faults: unknown kind in fire"],
  ])("the runner ends with 2 and the reason for %j", (args, reason) => {
    const { status, stderr } = spawnSync(process.execPath, [...RUNNER, ...args], {
      cwd: ROOT,
      encoding: "utf8",
    });
    expect(stderr).toContain(reason);
    expect(status).toBe(2);
  });

  test.each(PROOFS)("the proof $name has its folder and says all its options", (proof) => {
    expect(existsSync(join(ROOT, "proofs", proof.name))).toBe(true);
    for (const name of Object.keys(proof.options))
      expect(proofUsage(proof)).toContain(`--${name} `);
    for (const { size } of proof.fullRuns)
      expect(Object.keys(proof.options)).toEqual(expect.arrayContaining(Object.keys(size)));
  });

  test.each(PROOFS.flatMap(({ fullRuns }) => fullRuns))(
    "the record $record of a full run exists, and the proof held",
    ({ record }) => {
      expect(readProofRecord(record)?.passed).toBe(true);
    },
  );

  test.each(PROOFS)("a record of $name names a command of the runner", ({ name, fullRuns }) => {
    for (const { record } of fullRuns)
      expect(readProofRecord(record)?.command).toMatch(
        new RegExp(`^npm run prove -- ${name}( |$)`),
      );
  });

  test("the command of a record omits defaults, local options and the address of a database", () => {
    const [simulate, kills] = PROOFS;
    if (simulate === undefined || kills === undefined) throw new Error("no proofs");
    const run = { ...simulate.fullRuns[0].size, workers: "2", trace: "/tmp/trace.txt" };
    expect(proveCommandOf(simulate, run)).toBe("npm run prove -- simulate --seeds 200");
    const onPostgres = { kills: "1000", "database-url": "postgres://me:secret@db:5432/kills" };
    expect(proveCommandOf(kills, onPostgres)).toBe(
      "npm run prove -- kills --kills 1000 --database-url postgres://…",
    );
    expect(fullRunOf(kills, onPostgres).record).toBe("kills-postgres");
    expect(fullRunOf(kills, { "database-url": "" }).record).toBe("kills-embedded");
  });

  test("every path that a proof names exists, so that no proof runs on nothing", () => {
    const areas = MUTATION_AREA_NAMES.flatMap((name) => [
      ...MUTATION_AREAS[name].mutate,
      ...MUTATION_AREAS[name].tests,
    ]);
    const bugs = PLANTED_BUGS.flatMap(({ tests, edits }) => [
      ...tests,
      ...edits.map(({ file }) => file),
    ]);
    const named = [...areas, ...bugs, ...FAULT_TEST_FOLDERS].filter(
      (path) => !path.startsWith("!"),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => globSync(path, { cwd: ROOT }).length === 0)).toEqual([]);
  });

  test("every planted bug still fits its source", () => {
    const lost = PLANTED_BUGS.flatMap(({ name, edits }) =>
      edits.filter(({ file, from }) => readText(file).split(from).length !== 2).map(() => name),
    );
    expect(lost).toEqual([]);
  });

  test("a planted bug with a simulated run of its own counts as caught only when that run catches it", () => {
    const bug = { name: "a bug", harm: "a harm", bySimulation: null, byTests: ["a test"] };
    const read = (needsSimulation: boolean) =>
      PLANTED.read({ bugs: [{ ...bug, needsSimulation }] }, []).passed;
    expect([read(false), read(true)]).toEqual([true, false]);
  });

  test.each([
    "a node that trusts its own clock",
    "leases that a wrong clock keeps",
    "a quote of the future that keeps later ones out",
    "a guard that counts repeats",
    "a quote of the bus without its seal",
    "a judgement that does not ask the conversion rate",
  ])("a simulated run has to catch the planted bug: %s", (name) => {
    expect(PLANTED_BUGS.find((bug) => bug.name === name)?.simulation).toBeDefined();
  });
});
