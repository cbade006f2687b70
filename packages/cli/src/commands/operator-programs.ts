import type { Command } from "commander";
import { CliError, EXIT } from "../cli-error.ts";
import { readJsonFile } from "../json-file.ts";
import {
  cell,
  connectOperator,
  type OperatorOptions,
  operatorOptions,
  timeCell,
} from "../operator-client.ts";
import { print, table } from "../output.ts";
import { isRecord } from "../render/record.ts";
import type { Terminal } from "../terminal.ts";

interface ShowOptions extends OperatorOptions {
  readonly programVersion?: string;
}

/** `propgate operator programs list|show|add|check`. */
export function addOperatorPrograms(operator: Command, terminal: Terminal): void {
  const programs = operator
    .command("programs")
    .summary("what accounts are sold: list programs and add versions");
  addList(programs, terminal);
  addShow(programs, terminal);
  addFileCommand(terminal, {
    command: programs
      .command("add")
      .summary("add a version; accounts are sold it from then on, and it never changes"),
    file: "program",
    path: "/programs",
    told: (value) => `${named(value)} added`,
  });
  addFileCommand(terminal, {
    command: programs.command("check").summary("say whether it could be added, and add nothing"),
    file: "program",
    path: "/programs/validate",
    told: (value) => `${named(value)} could be added`,
  });
}

/** `propgate operator catalogue check`. */
export function addOperatorCatalogue(operator: Command, terminal: Terminal): void {
  const catalogue = operator.command("catalogue").summary("what can be traded");
  addFileCommand(terminal, {
    command: catalogue
      .command("check")
      .summary("say whether the service could start with this catalogue"),
    file: "catalogue",
    path: "/catalogue/validate",
    told: (value) => `${cell(value, "instruments")} instruments, and nothing wrong with them`,
  });
}

function addList(programs: Command, terminal: Terminal): void {
  const command = operatorOptions(programs.command("list")).summary(
    "list programs, with the version that is sold",
  );
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const value = await call({ method: "GET", path: "/programs" });
    const items = itemsOf(value, "items");
    const rows = items.map((item) => [
      ...["id", "variant", "version", "versions"].map((field) => cell(item, field)),
      timeCell(item, "addedAtMs"),
    ]);
    print(terminal, options, {
      value: items,
      lines: table(["program", "variant", "version", "versions", "added"], rows),
    });
  });
}

function addShow(programs: Command, terminal: Terminal): void {
  const command = operatorOptions(programs.command("show"))
    .summary("print a program's document, to be edited and added as its next version")
    .argument("<program>", "its id")
    .option("--program-version <n>", "not the newest version but this one");
  command.action(async () => {
    const options = command.optsWithGlobals<ShowOptions>();
    const id = command.args[0] ?? "";
    const call = await connectOperator(terminal, options);
    const value = await call({ method: "GET", path: `/programs/${encodeURIComponent(id)}` });
    const versions = itemsOf(value, "versions");
    const asked = options.programVersion;
    const kept =
      asked === undefined
        ? versions.at(-1)
        : versions.find((version) => cell(version, "version") === asked);
    if (kept === undefined) {
      throw new CliError({
        message: `${id} has no version ${asked}`,
        fix: `It has ${versions.map((version) => cell(version, "version")).join(", ")}.`,
        exitCode: EXIT.refused,
      });
    }
    const program = isRecord(kept) ? kept.program : null;
    print(terminal, options, {
      value: program,
      lines: [JSON.stringify(program, null, 2)],
    });
  });
}

/** A command that sends a file's document and tells what came of it. */
function addFileCommand(
  terminal: Terminal,
  what: {
    readonly command: Command;
    readonly file: "program" | "catalogue";
    readonly path: string;
    readonly told: (value: unknown) => string;
  },
): void {
  const command = operatorOptions(what.command).argument("<file>", `a ${what.file} as JSON`);
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const body = await readJsonFile(command.args[0] ?? "", what.file);
    const call = await connectOperator(terminal, options);
    const value = await call({ method: "POST", path: what.path, body });
    print(terminal, options, { value, lines: [what.told(value)] });
  });
}

function named(value: unknown): string {
  return `${cell(value, "id")} version ${cell(value, "version")}`;
}

function itemsOf(value: unknown, field: string): readonly unknown[] {
  const items = isRecord(value) ? value[field] : null;
  return Array.isArray(items) ? items : [];
}
