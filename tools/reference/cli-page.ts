import { PassThrough, Readable } from "node:stream";
import type { Command } from "commander";
import { EXIT } from "../../packages/cli/src/cli-error.ts";
import { buildProgram, loadCommands } from "../../packages/cli/src/program.ts";
import type { BareTerminal } from "../../packages/cli/src/terminal.ts";
import { codeBlock, markdownPage, markdownTable, type ReferencePage } from "./markdown.ts";

/** The page with the help of every command, as it is printed. */
export function cliPage(): ReferencePage {
  const sections = withSubcommands(propgateCommand()).flatMap((command) => [
    `## \`${pathOf(command)}\``,
    codeBlock("", command.helpInformation()),
  ]);
  return {
    path: "docs/reference/cli.md",
    content: markdownPage({
      title: "Command line",
      source: "packages/cli/src",
      blocks: [
        "In a checkout a command is run as `npm run propgate -- …`.",
        ...sections,
        "## Exit codes",
        "Every command ends with one of these; `--json` makes results and errors one line of JSON.",
        markdownTable(["Code", "Means"], exitCodes()),
      ],
    }),
  };
}

const COMMANDS = await loadCommands();

/** The real command without any effects: only its help and options are read. */
export function propgateCommand(): Command {
  const terminal: BareTerminal = {
    invocation: "propgate",
    env: {},
    out: () => {},
    error: () => {},
    inputIsTyped: false,
    readInput: () => Promise.resolve(new Uint8Array()),
    streams: { input: Readable.from([]), output: new PassThrough() },
    outIsTerminal: false,
    errorIsTerminal: false,
    hasColours: false,
    columns: () => 80,
    rows: () => 24,
    prompts: { confirm: async () => false, secret: async () => null },
    wait: async () => {},
    now: () => 0,
    untilStopped: () => Promise.resolve("SIGTERM"),
  };
  return buildProgram(terminal, COMMANDS);
}

function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: "done",
  refused: "the answer is no: a signature differs, a journal is broken, the service refused",
  usage: "an option, an argument, an environment value or a file is wrong",
  unreachable: "the service does not answer, or is unavailable for the moment",
  notAllowed: "the operator's token is missing or is not this service's",
  cannotStart:
    "the service cannot start: port, data folder or database; or the output cannot be written, and is on standard error instead",
  unknownFate: "an order was sent, and whether it was accepted is unknown",
  fault: "a fault of the program",
};

function exitCodes(): readonly (readonly string[])[] {
  const names = Object.keys(EXIT_MEANINGS) as readonly (keyof typeof EXIT)[];
  return names.map((name) => [String(EXIT[name]), EXIT_MEANINGS[name]]);
}
