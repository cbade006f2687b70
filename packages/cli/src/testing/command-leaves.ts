import type { Command } from "commander";

export interface CommandLeaf {
  /** Its words, such as `order show`. */
  readonly name: string;
  readonly command: Command;
}

/** Every command that runs by itself: those without others below them, and `instruments`, which has both. */
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
