import { Argument, type Command } from "commander";
import { completionScript, SHELLS, type Shell } from "../../completion/script.ts";
import type { Terminal } from "../../terminal.ts";

/** `propgate completion bash|zsh|fish`: prints a completion script for the shell. */
export function addCompletion(program: Command, terminal: Terminal): void {
  const command = program
    .command("completion")
    .summary("print a script that completes commands in a shell")
    .description(
      "Print a script that completes commands and options. To load it: " +
        "bash: source <(propgate completion bash); zsh: the same with zsh, after compinit; " +
        "fish: propgate completion fish | source.",
    )
    .addArgument(new Argument("<shell>", "the shell").choices([...SHELLS]));
  command.action((shell: Shell) => {
    terminal.out(completionScript(program, shell));
  });
}
