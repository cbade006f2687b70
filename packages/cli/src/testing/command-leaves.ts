import type { Command } from "commander";

export interface CommandLeaf {
  /** The command's words, such as `order show`. */
  readonly name: string;
  readonly command: Command;
}

/**
 * Every command that can be run: those without commands below them, and `instruments`, which can be run and has a
 * command below it.
 */
export function commandLeaves(
  group: Command,
  path: readonly string[] = [],
): readonly CommandLeaf[] {
  return group.commands.flatMap((command) => {
    const words = [...path, command.name()];
    const name = words.join(" ");
    const isLeaf = command.commands.length === 0 || name === "instruments";
    const own = isLeaf ? [{ name, command }] : [];
    return [...own, ...commandLeaves(command, words)];
  });
}
