import type { Command } from "commander";

export interface OfferedWord {
  /** A command's name, or an option such as `--yes`. */
  readonly word: string;
  readonly summary: string;
}

/** A command, and the words that can follow it. */
export interface CommandWords {
  /** The program's name and the names of the commands: `propgate order market`. */
  readonly path: string;
  readonly words: readonly OfferedWord[];
}

/**
 * Every command of the tree, with its subcommands, the choices of its arguments, and its options, the global ones
 * included.
 */
export function commandWords(program: Command): readonly CommandWords[] {
  return walk(program, program.name(), longOptions(program));
}

function walk(
  command: Command,
  path: string,
  global: readonly OfferedWord[],
): readonly CommandWords[] {
  const help = command.createHelp();
  const below = help.visibleCommands(command).map((one) => ({
    word: one.name(),
    summary: one.summary() === "" ? one.description() : one.summary(),
  }));
  const own = command.parent === null ? [] : longOptions(command);
  const choices = command.registeredArguments.flatMap(({ argChoices }) =>
    (argChoices ?? []).map((word) => ({ word, summary: "" })),
  );
  const words = [...below, ...choices, ...own, ...global];
  const unique = [...new Map(words.map((one) => [one.word, one])).values()];
  return [
    { path, words: unique },
    ...command.commands.flatMap((one) => walk(one, `${path} ${one.name()}`, global)),
  ];
}

function longOptions(command: Command): readonly OfferedWord[] {
  const help = command.createHelp();
  return help
    .visibleOptions(command)
    .flatMap(({ long, description }) =>
      typeof long === "string" ? [{ word: long, summary: description }] : [],
    );
}
