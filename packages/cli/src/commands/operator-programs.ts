import type { ProgramVersionView } from "@propgate/contract";
import type { Command } from "commander";
import { CliError, EXIT } from "../cli-error.ts";
import { readJsonFile } from "../json-file.ts";
import {
  addOperatorOptions,
  type CallOperator,
  connectOperator,
  type OperatorOptions,
} from "../operator-client.ts";
import { printResult } from "../output.ts";
import type { Terminal } from "../terminal.ts";

interface ShowOptions extends OperatorOptions {
  readonly programVersion?: string;
}

/** `propgate operator programs show|add|check`: shows a program's document, and adds or checks a version. */
export function addOperatorPrograms(operator: Command, terminal: Terminal): void {
  const programs = operator.command("programs").summary("programs and their versions");
  addShowCommand(programs, terminal);
  addFileCommand(terminal, {
    command: programs
      .command("add")
      .summary("add a version, which new accounts get from then on; versions never change"),
    file: "program",
    send: (call, body) => call("programs.add", { body }),
    successLine: (added) => `${programVersionText(added)} added`,
  });
  addFileCommand(terminal, {
    command: programs.command("check").summary("check whether a version could be added"),
    file: "program",
    send: (call, body) => call("programs.validate", { body }),
    successLine: (checked) => `${programVersionText(checked)} could be added`,
  });
}

/** `propgate operator catalogue check`: checks whether the service could start with a catalogue. */
export function addOperatorCatalogue(operator: Command, terminal: Terminal): void {
  const catalogue = operator.command("catalogue").summary("check a catalogue of instruments");
  addFileCommand(terminal, {
    command: catalogue
      .command("check")
      .summary("check whether the service could start with this catalogue"),
    file: "catalogue",
    send: (call, body) => call("catalogue.validate", { body }),
    successLine: ({ instruments }) => `${instruments} instruments without problems`,
  });
}

function addShowCommand(programs: Command, terminal: Terminal): void {
  const command = addOperatorOptions(programs.command("show"))
    .summary("print a program's document, for editing and adding the next version")
    .argument("<program>", "its id")
    .option("--program-version <n>", "this version instead of the newest");
  command.action(async () => {
    const options = command.optsWithGlobals<ShowOptions>();
    const id = command.args[0] ?? "";
    const call = await connectOperator(terminal, options);
    const { versions } = await call("programs.get", { id });
    const { programVersion: wanted } = options;
    const shown =
      wanted === undefined
        ? versions.at(-1)
        : versions.find(({ version }) => String(version) === wanted);
    if (shown === undefined) {
      throw new CliError({
        message: `${id} has no version ${wanted}`,
        fix: `It has ${versions.map(({ version }) => version).join(", ")}.`,
        exitCode: EXIT.refused,
      });
    }
    const { program } = shown;
    printResult(terminal, options, {
      value: program,
      lines: [JSON.stringify(program, null, 2)],
    });
  });
}

/** Makes `command` send the document in a file to the service. */
function addFileCommand<Answer>(
  terminal: Terminal,
  what: {
    readonly command: Command;
    readonly file: "program" | "catalogue";
    readonly send: (call: CallOperator, body: unknown) => Promise<Answer>;
    readonly successLine: (answer: Answer) => string;
  },
): void {
  const command = addOperatorOptions(what.command).argument("<file>", `a ${what.file} as JSON`);
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const body = await readJsonFile(command.args[0] ?? "", what.file);
    const call = await connectOperator(terminal, options);
    const value = await what.send(call, body);
    printResult(terminal, options, { value, lines: [what.successLine(value)] });
  });
}

function programVersionText({ id, version }: ProgramVersionView): string {
  return `${id} version ${version}`;
}
