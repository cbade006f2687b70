import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type FullRun, type OptionValues, type Proof, WrongOptionsError } from "./proof.ts";
import { fullRunOf, proofListText, proofUsage, proveCommandOf } from "./prove-usage.ts";
import { readProofRecord, writeProofRecord } from "./records.ts";
import { PROOFS } from "./registry.ts";

/**
 * `npm run prove -- NAME [options]` runs a proof. `list`, or no name, lists all proofs. `all` runs one proof after the
 * other at full size and writes the records for the reliability page. The exit code is 1 when a promise was broken, and
 * 2 when the options are wrong.
 */
const [name, ...rest] = process.argv.slice(2);
try {
  if (name === undefined || name === "list" || name === "--help")
    process.stdout.write(proofListText());
  else if (name === "all") proveAll(rest);
  else await prove(proofCalled(name), rest);
} catch (cause) {
  if (!isWrongUse(cause)) throw cause;
  process.stderr.write(`${cause.message}\n\n${proofListText()}`);
  process.exitCode = 2;
}

function proofCalled(name: string): Proof {
  const proof = PROOFS.find((one) => one.name === name);
  if (proof === undefined) throw new WrongOptionsError(`there is no proof named ${name}`);
  return proof;
}

async function prove(proof: Proof, args: readonly string[]): Promise<void> {
  const { own, full, record, json, from, help } = readArguments(proof, args);
  if (help) {
    process.stdout.write(proofUsage(proof));
    return;
  }
  const fallbacks = fallbacksOf(proof);
  const { size } = fullRunOf(proof, { ...fallbacks, ...own });
  const given: OptionValues = { ...fallbacks, ...(full ? size : {}), ...own };
  const result: unknown =
    from === undefined
      ? await proof.run(given, (line) => process.stderr.write(`${line}\n`))
      : JSON.parse(readFileSync(from, "utf8"));
  if (json !== undefined) writeJson(json, result);
  const run = fullRunOf(proof, given);
  const former = record ? (readProofRecord(run.record)?.rows ?? []) : [];
  const shown = proof.read(result, former);
  for (const [label, value] of Object.entries(shown.figures))
    process.stdout.write(`  ${label}: ${value}\n`);
  process.stdout.write(`${proof.name}: ${shown.passed ? "passed" : "FAILED"}\n`);
  if (!shown.passed) {
    if (json === undefined) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    process.stdout.write(`  ${proveCommandOf(proof, given)}\n`);
    process.exitCode = 1;
  }
  if (!record) return;
  const at = new Date().toISOString().slice(0, "2026-11-21".length);
  writeProofRecord(run.record, { at, command: proveCommandOf(proof, given), ...shown });
}

function readArguments(proof: Proof, args: readonly string[]) {
  const names = Object.keys(proof.options);
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(names.map((name) => [name, { type: "string" } as const])),
      full: { type: "boolean", default: false },
      record: { type: "boolean", default: false },
      json: { type: "string" },
      from: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  const given = Object.entries(values).filter(([name]) => names.includes(name));
  const own = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  return { own, ...values };
}

function fallbacksOf({ options }: Proof): OptionValues {
  return Object.fromEntries(
    Object.entries(options).map(([name, { fallback }]) => [name, fallback]),
  );
}

/** Runs every full run of every proof in its own process. A run on PostgreSQL is skipped without `--database-url`. */
function proveAll(args: readonly string[]): void {
  const { values } = parseArgs({
    args: [...args],
    options: { "database-url": { type: "string" } },
  });
  const databaseUrl = values["database-url"];
  for (const proof of PROOFS) {
    for (const run of proof.fullRuns) proveFully(proof, run, databaseUrl);
  }
}

function proveFully(proof: Proof, run: FullRun, databaseUrl: string | undefined): void {
  const flags: string[] = [];
  if (run.isOnPostgres) {
    if (databaseUrl === undefined) {
      process.stdout.write(`${run.record}: SKIPPED, it needs --database-url\n`);
      return;
    }
    flags.push("--database-url", databaseUrl);
  }
  const script = fileURLToPath(import.meta.url);
  const { status } = spawnSync(
    process.execPath,
    [...process.execArgv, script, proof.name, "--full", "--record", ...flags],
    { stdio: "inherit" },
  );
  if (status !== 0) process.exitCode = 1;
}

function writeJson(path: string, result: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`);
}

function isWrongUse(cause: unknown): cause is Error {
  if (cause instanceof WrongOptionsError) return true;
  return cause instanceof TypeError && "code" in cause && isParseArgsCode(cause.code);
}

function isParseArgsCode(code: unknown): boolean {
  return typeof code === "string" && code.startsWith("ERR_PARSE_ARGS");
}
