import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../test/source-tree.ts";
import type { Plan, Proof } from "./proofs/proof.ts";
import { PROOFS } from "./proofs/proofs.ts";
import { writeRecord } from "./proofs/records.ts";

/**
 * `npm run prove -- [--only simulation,lives]`: runs every proof at its full size, one after the
 * other, and leaves their records in `test/proofs`; `npm run docs` makes the page of them.
 * `--result FILE` with one proof takes what a run of its command has left instead.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    result: { type: "string" },
    seeds: { type: "string", default: "200" },
    steps: { type: "string", default: "5000" },
    kills: { type: "string", default: "1000" },
    cuts: { type: "string", default: "1000" },
    lives: { type: "string", default: "20000" },
    "fuzz-runs": { type: "string", default: "2000" },
    "database-url": { type: "string" },
  },
});
const plan: Plan = {
  seeds: Number(values.seeds),
  steps: Number(values.steps),
  kills: Number(values.kills),
  cuts: Number(values.cuts),
  lives: Number(values.lives),
  fuzzRuns: Number(values["fuzz-runs"]),
  databaseUrl: values["database-url"] ?? null,
};
const wanted = values.only?.split(",") ?? PROOFS.map(({ name }) => name);
const unknown = wanted.filter((name) => PROOFS.every((proof) => proof.name !== name));
if (unknown.length > 0) {
  throw new Error(
    `--only: ${unknown.join(", ")}; there are ${PROOFS.map((p) => p.name).join(", ")}`,
  );
}
for (const proof of PROOFS.filter(({ name }) => wanted.includes(name))) prove(proof);

function prove(proof: Proof): void {
  const [script, ...flags] = proof.command(plan);
  const command = ["npm", "run", script, ...(flags.length === 0 ? [] : ["--", ...flags])].join(" ");
  const result = values.result ?? run(proof, [script, ...flags]);
  const shown = proof.read(JSON.parse(readFileSync(result, "utf8")));
  const at = new Date().toISOString().slice(0, 10);
  writeRecord(proof.name, { at, command: withoutAddress(command), ...shown });
  process.stdout.write(`${proof.name}: ${shown.passed ? "passed" : "FAILED"}\n`);
  if (!shown.passed) process.exitCode = 1;
}

/** Runs it and names the file of its result. */
function run({ name, result }: Proof, [script = "", ...flags]: readonly string[]): string {
  const file =
    "file" in result
      ? join(ROOT, result.file)
      : join(mkdtempSync(join(tmpdir(), "propgate-proof-")), `${name}.json`);
  const told = "flag" in result ? [`${result.flag}=${file}`] : [];
  spawnSync("npm", ["run", script, "--", ...flags, ...told], { cwd: ROOT, stdio: "inherit" });
  return file;
}

/** Whoever reproduces it has a database of their own. */
function withoutAddress(command: string): string {
  return command.replace(/postgres(ql)?:\/\/\S+/, "postgres://…");
}
