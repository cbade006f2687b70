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
import { isRecord } from "../render/record.ts";
import type { Terminal } from "../terminal.ts";

interface AddOptions extends OperatorOptions {
  readonly role: string;
  readonly owner?: string;
}

/** `propgate operator person add|list|link|disable|enable`. */
export function addOperatorPerson(operator: Command, terminal: Terminal): void {
  const person = operator.command("person").summary("who may sign in to the pages");
  addAdd(person, terminal);
  addList(person, terminal);
  addLink(person, terminal);
  for (const deed of ["disable", "enable"] as const) addChange(person, terminal, deed);
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
    const added = await call({ method: "POST", path: "/people", body });
    const link = await makeLink(call, cell(added, "personId"));
    print(terminal, options, {
      value: { person: added, link },
      lines: [
        ...pairs([
          ["name", cell(added, "name")],
          ["role", cell(added, "role")],
          ["owner", cell(added, "ownerId")],
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
    const people = await listPeople(await connectOperator(terminal, options));
    const rows = people.map((one) => [
      cell(one, "name"),
      cell(one, "role"),
      cell(one, "ownerId"),
      timeCell(one, "disabledAtMs"),
    ]);
    print(terminal, options, {
      value: people,
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
    const link = await makeLink(call, await idOf(call, command.args[0] ?? ""));
    print(terminal, options, { value: link, lines: linkLines(link) });
  });
}

function addChange(person: Command, terminal: Terminal, deed: "disable" | "enable"): void {
  const command = operatorOptions(person.command(deed))
    .summary(
      deed === "disable"
        ? "sign somebody out everywhere, and let nobody in as that person"
        : "let a disabled person sign in again",
    )
    .argument("<name>", "who");
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const id = await idOf(call, command.args[0] ?? "");
    const value = await call({ method: "POST", path: `/people/${id}/${deed}`, body: {} });
    const line = `${cell(value, "name")} ${deed}d`;
    print(terminal, options, { value, lines: [line] });
  });
}

async function listPeople(call: CallOperator): Promise<readonly unknown[]> {
  const people = await call({ method: "GET", path: "/people" });
  return Array.isArray(people) ? people : [];
}

/** Names are what people know of each other; as the service does, whatever their case. */
async function idOf(call: CallOperator, name: string): Promise<string> {
  const wanted = name.normalize("NFKC").toLowerCase();
  const people = await listPeople(call);
  const found = people.find(
    (one) =>
      isRecord(one) &&
      typeof one.name === "string" &&
      one.name.normalize("NFKC").toLowerCase() === wanted,
  );
  if (found !== undefined) return encodeURIComponent(cell(found, "personId"));
  throw new CliError({
    message: `there is nobody called ${name}`,
    fix: "propgate operator person list names everybody.",
    exitCode: EXIT.refused,
  });
}

function makeLink(call: CallOperator, personId: string): Promise<unknown> {
  return call({ method: "POST", path: `/people/${personId}/link`, body: {} });
}

function linkLines(link: unknown): readonly string[] {
  return [
    `This link gives a password. It works once, until ${timeCell(link, "expiresAtMs")}:`,
    `  ${cell(link, "url")}`,
  ];
}
