import type { Command } from "commander";
import { shellQuote } from "../curl-command.ts";
import { type CommandWords, commandWords } from "./command-words.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** A completion script for the shell, generated from the commands. */
export function completionScript(program: Command, shell: Shell): string {
  const commands = commandWords(program);
  switch (shell) {
    case "bash":
      return bashScript(commands);
    case "zsh":
      // zsh supports completion functions of bash.
      return `autoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`;
    case "fish":
      return fishScript(commands);
  }
}

/**
 * A completion function for bash. It follows the words of the line from command to command, and offers the words of the
 * last command. `path` is the current command, such as `propgate order`; an argument does not change it.
 */
function bashScript(commands: readonly CommandWords[]): string {
  const offered = commands.map(({ path, words }) => {
    const all = words.map(({ word }) => word).join(" ");
    return `    ${shellQuote(path)}) words=${shellQuote(all)} ;;`;
  });
  const known = commands.map(({ path }) => shellQuote(path)).join("|");
  return `_propgate() {
  local path=propgate word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
      ${known}) path="$path $word" ;;
    esac
  done
  case "$path" in
${offered.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _propgate propgate
`;
}

function fishScript(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ path, words }) =>
    words.map(({ word, summary }) => {
      const at = shellQuote(`__propgate_at ${path}`);
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c propgate -n ${at} ${what} -d ${shellQuote(summary)}`;
    }),
  );
  const known = commands.map(({ path }) => shellQuote(path)).join(" ");
  return `function __propgate_at
  set -l known ${known}
  set -l path propgate
  for word in (commandline -opc)[2..-1]
    contains -- "$path $word" $known; and set path "$path $word"
  end
  test "$path" = "$argv"
end
${lines.join("\n")}
`;
}
