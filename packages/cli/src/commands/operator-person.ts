import {
  OPERATOR_PERSON,
  type OperatorPerson,
  type PersonLinkView,
  type Role,
} from "@propgate/contract";
import { type Command, Option } from "commander";
import { CliError, EXIT } from "../cli-error.ts";
import {
  type CallOperator,
  cell,
  connectOperator,
  type OperatorOptions,
  operatorOptions,
  timeCell,
} from "../operator-client.ts";
import { pairs, print, table } from "../output.ts";
import { columnsOf } from "../render/csv.ts";
import type { Terminal } from "../terminal.ts";

interface AddOptions extends OperatorOptions {
  readonly role: Role;
  readonly owner?: string;
}

/** `propgate operator person add|list|link|disable|enable`. */
export function addOperatorPerson(operator: Command, terminal: Terminal): void {
  const person = operator.command("person").summary("who may sign in to the pages");
  addAdd(person, terminal);
  addList(person, terminal);
  addLink(person, terminal);
  addDisable(person, terminal);
  addEnable(person, terminal);
}

function addAdd(person: Command, terminal: Terminal): void {
  const command = operatorOptions(person.command("add"))
    .summary("add somebody, and make the link that gives a password")
    .argument("<name>", "what is typed to sign in")
    .addOption(
      new Option("--role <role>", "an owner sees his own accounts, an operator all")
        .choices(["owner", "operator"])
        .default("owner"),
    )
    .option("--owner <id>", "whose accounts; without it an owner's id of its own");
  command.action(async () => {
    const options = command.optsWithGlobals<AddOptions>();
    const call = await connectOperator(terminal, options);
    const body = {
      name: command.args[0] ?? "",
      role: options.role,
      ...(options.owner === undefined ? {} : { ownerId: options.owner }),
    };
    const added = await call("person.add", { body });
    const link = await call("person.link", { id: added.personId, body: {} });
    print(terminal, options, {
      value: { person: added, link },
      lines: [
        ...pairs([
          ["name", cell(added.name)],
          ["role", cell(added.role)],
          ["owner", cell(added.ownerId)],
        ]),
        "",
        ...linkLines(link),
      ],
    });
  });
}

function addList(person: Command, terminal: Terminal): void {
  const command = operatorOptions(person.command("list")).summary("list everybody");
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const people = await call("person.list");
    const rows = people.map(({ name, role, ownerId, disabledAtMs }) => [
      ...[name, role, ownerId].map(cell),
      timeCell(disabledAtMs),
    ]);
    print(terminal, options, {
      value: people,
      columns: columnsOf(OPERATOR_PERSON),
      lines: table(["name", "role", "owner", "disabled"], rows),
    });
  });
}

function addLink(person: Command, terminal: Terminal): void {
  const command = operatorOptions(person.command("link"))
    .summary("make a link that gives somebody a password; the link before no longer works")
    .argument("<name>", "whose");
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const { personId } = await findPerson(call, command.args[0] ?? "");
    const link = await call("person.link", { id: personId, body: {} });
    print(terminal, options, { value: link, lines: linkLines(link) });
  });
}

interface ChangeOptions extends OperatorOptions {
  readonly pauseKeys?: boolean;
  readonly resumeKeys?: boolean;
}

function addDisable(person: Command, terminal: Terminal): void {
  const command = operatorOptions(person.command("disable"))
    .summary("sign somebody out everywhere, and let nobody in as that person")
    .argument("<name>", "who")
    .option("--pause-keys", "pause the API keys of the person's accounts as well");
  command.action(async () => {
    const options = command.optsWithGlobals<ChangeOptions>();
    const call = await connectOperator(terminal, options);
    const { personId: id } = await findPerson(call, command.args[0] ?? "");
    const pauseKeys = options.pauseKeys === true;
    const value = await call("person.disable", { id, body: { pauseKeys } });
    const { active } = await call("person.keys", { id });
    const lines = [
      `${value.name} disabled`,
      ...(pauseKeys ? [`API keys paused: ${value.keys}`] : []),
      ...(pauseKeys || active === 0
        ? []
        : [`API keys that go on working: ${active} (--pause-keys pauses them)`]),
    ];
    print(terminal, options, { value, lines });
  });
}

function addEnable(person: Command, terminal: Terminal): void {
  const command = operatorOptions(person.command("enable"))
    .summary("let a disabled person sign in again")
    .argument("<name>", "who")
    .option("--resume-keys", "resume the paused API keys of the person's accounts as well");
  command.action(async () => {
    const options = command.optsWithGlobals<ChangeOptions>();
    const call = await connectOperator(terminal, options);
    const { personId: id } = await findPerson(call, command.args[0] ?? "");
    const resumeKeys = options.resumeKeys === true;
    const value = await call("person.enable", { id, body: { resumeKeys } });
    const lines = [
      `${value.name} enabled`,
      ...(resumeKeys ? [`API keys resumed: ${value.keys}`] : []),
    ];
    print(terminal, options, { value, lines });
  });
}

/** Finds a person by name, compared as the service compares names: in any case. */
async function findPerson(call: CallOperator, name: string): Promise<OperatorPerson> {
  const wanted = nameKey(name);
  const people = await call("person.list");
  const found = people.find((person) => nameKey(person.name) === wanted);
  if (found !== undefined) return found;
  throw new CliError({
    message: `there is nobody called ${name}`,
    fix: "propgate operator person list names everybody.",
    exitCode: EXIT.refused,
  });
}

function nameKey(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

function linkLines({ url, expiresAtMs }: PersonLinkView): readonly string[] {
  return [`This link gives a password. It works once, until ${timeCell(expiresAtMs)}:`, `  ${url}`];
}
