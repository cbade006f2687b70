import type { FullRun, OptionValues, Proof } from "./proof.ts";
import { PROOFS } from "./registry.ts";

const NAME_WIDTH = 10;
const OPTION_WIDTH = 20;

/** The usage of `npm run prove`, with one sentence for each proof. */
export function proofListText(): string {
  const rows = PROOFS.map(({ name, sentence }) => `  ${name.padEnd(NAME_WIDTH)}${sentence}\n`);
  return `npm run prove -- NAME [options], or NAME --help

${rows.join("")}  ${"all".padEnd(NAME_WIDTH)}Runs all proofs at full size and writes their records; with --database-url also on PostgreSQL.
`;
}

/** The usage of one proof: its sentence, its own options, and the options that all proofs have. */
export function proofUsage({ name, sentence, options }: Proof): string {
  const own = Object.entries(options).map(([option, { value, meaning, fallback }]) =>
    optionLine(`${option} ${value}`, fallback === "" ? meaning : `${meaning} (${fallback})`),
  );
  const shared = [
    optionLine("full", "the full size, as in the records"),
    optionLine("record", "writes the record of this run to proofs/records"),
    optionLine("json FILE", "writes the whole result to this file"),
    optionLine("from FILE", "reads the result of an earlier run from this file and runs nothing"),
  ];
  return `npm run prove -- ${name} [options]\n${sentence}\n\n${[...own, ...shared].join("")}`;
}

function optionLine(option: string, meaning: string): string {
  return `  --${option.padEnd(OPTION_WIDTH)}${meaning}\n`;
}

/** The command that repeats a run. It leaves out options at their defaults and the address of a database. */
export function proveCommandOf({ name, options }: Proof, given: OptionValues): string {
  const flags = Object.entries(options).flatMap(([option, { fallback, isLocal }]) => {
    const value = given[option] ?? fallback;
    return isLocal || value === fallback ? [] : [`--${option} ${value}`];
  });
  const command = ["npm run prove --", name, ...flags].join(" ");
  return command.replace(/postgres(ql)?:\/\/\S+/, "postgres://…");
}

/**
 * The full run, and so the record, that belongs to these options: the one on PostgreSQL when they name a database,
 * otherwise the one on the embedded database. The first full run when no full run matches.
 */
export function fullRunOf({ fullRuns }: Proof, given: OptionValues): FullRun {
  const urls = ["database-url", "database-urls"].map((option) => given[option] ?? "");
  const isOnPostgres = urls.some((url) => url !== "");
  return fullRuns.find((run) => (run.isOnPostgres ?? false) === isOnPostgres) ?? fullRuns[0];
}
