/** Checks command lines of documents against the real command. */
import type { Command } from "commander";
import { PROOFS } from "../proofs/registry.ts";
import { propgateCommand } from "../tools/reference/cli-page.ts";

/** The scripts of package.json that a piece of code runs. */
export function npmScriptsIn(code: string): readonly string[] {
  const run = [...code.matchAll(/\bnpm run (?:--silent )?([\w-]+)/g)].map(([, name = ""]) => name);
  return /\bnpm start\b/.test(code) ? [...run, "start"] : run;
}

/**
 * The words after `propgate` in each command of the code. `npm start` counts as `serve`. A line that begins with
 * `operator` or `journal` counts as the words of a command.
 */
export function commandLinesIn(code: string): readonly (readonly string[])[] {
  const found = [
    ...code.matchAll(/(?:^|npm run (?:--silent )?)propgate (?:-- )?([^|>&;]*)/g),
    ...code.matchAll(/^((?:operator|journal) [^|>&;]*)/g),
  ].map(([, words = ""]) => words.trim().split(/\s+/));
  const serve = /\bnpm start -- ([^|>&;]*)/.exec(code)?.[1];
  return serve === undefined ? found : [...found, ["serve", ...serve.trim().split(/\s+/)]];
}

/**
 * A problem text for each proof in the code that `npm run prove` does not have, and for each unknown option of a proof.
 */
export function proofProblemsIn(code: string): readonly string[] {
  const lines = [...code.matchAll(/\bnpm run prove -- ([^|>&;]*)/g)];
  return lines.flatMap(([, words = ""]) => {
    const [name = "", ...rest] = words.trim().split(/\s+/);
    if (name === "NAME" || name === "list") return [];
    const options = name === "all" ? ["database-url"] : optionsOfProof(name);
    if (options === null) return [`no proof ${name}`];
    const flags = rest.filter((word) => word.startsWith("--")).map((word) => word.slice(2));
    return flags.filter((flag) => !options.includes(flag)).map((flag) => `no --${flag} of ${name}`);
  });
}

function optionsOfProof(name: string): readonly string[] | null {
  const proof = PROOFS.find((one) => one.name === name);
  if (proof === undefined) return null;
  return [...Object.keys(proof.options), "full", "record", "json", "from", "help"];
}

/**
 * A problem text for a command that `propgate` does not have, and for each unknown option of a command that it has.
 * Empty when the command line is right.
 */
export function commandLineProblems(words: readonly string[]): readonly string[] {
  let command = propgateCommand();
  const rest = [...words];
  for (;;) {
    const next = command.commands.find((one) => one.name() === rest[0]);
    if (next === undefined) break;
    command = next;
    rest.shift();
  }
  const [first = ""] = rest;
  const unknown =
    command.commands.length > 0 && /^[a-z]/.test(first) ? [`no command ${first}`] : [];
  return [
    ...unknown,
    ...rest
      .filter((word) => /^--\w/.test(word) && !hasOption(command, word))
      .map((one) => `no ${one}`),
  ];
}

function hasOption(command: Command, flag: string): boolean {
  const known = command.options.some((option) => option.long === flag || option.short === flag);
  return known || (command.parent !== null && hasOption(command.parent, flag));
}

/** Whether a flag is an option of any command, or of a tool that the documentation uses. */
export function isSomeOption(flag: string): boolean {
  const all = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(all)];
  return (
    ["--help", "--print", "--kills", "--database-url", "--record", "--depth"].includes(flag) ||
    all(propgateCommand()).some((command) => hasOption(command, flag))
  );
}
