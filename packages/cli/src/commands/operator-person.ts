import type { Role } from "@propgate/contract";
import { type Command, Option } from "commander";
import { findPerson } from "../operator/find-person.ts";
import { personLinkLines } from "../operator/views/account-views.ts";
import {
  addOperatorOptions,
  cellText,
  connectOperator,
  type OperatorOptions,
} from "../operator-client.ts";
import { nameValueLines, printResult } from "../output.ts";
import { runningLines } from "../render/left-running.ts";
import type { Terminal } from "../terminal.ts";

interface AddOptions extends OperatorOptions {
  readonly role: Role;
  readonly owner?: string;
  readonly externalId?: string;
}

/** `propgate operator people add|disable|enable`: each of them makes more than one call. */
export function addOperatorPerson(operator: Command, terminal: Terminal): void {
  const person = operator
    .command("people")
    .summary("manage the people who may sign in to the pages");
  addAddCommand(person, terminal);
  addDisableCommand(person, terminal);
  addEnableCommand(person, terminal);
}

function addAddCommand(person: Command, terminal: Terminal): void {
  const command = addOperatorOptions(person.command("add"))
    .summary("add a person, and print a link for choosing a password")
    .argument("<name>", "the name to sign in with")
    .addOption(
      new Option("--role <role>", "an owner sees their own accounts, an operator all accounts")
        .choices(["owner", "operator"])
        .default("owner"),
    )
    .option("--owner <id>", "the owner whose accounts the person sees; a new owner by default")
    .option("--external-id <id>", "the person's id in another system");
  command.action(async () => {
    const options = command.optsWithGlobals<AddOptions>();
    const call = await connectOperator(terminal, options);
    const body = {
      name: command.args[0] ?? "",
      role: options.role,
      ...(options.owner === undefined ? {} : { ownerId: options.owner }),
      ...(options.externalId === undefined ? {} : { externalId: options.externalId }),
    };
    const added = await call("people.add", { body });
    const link = await call("people.link", { id: added.personId, body: {} });
    printResult(terminal, options, {
      value: { person: added, link },
      lines: [
        ...nameValueLines([
          ["name", cellText(added.name)],
          ["role", cellText(added.role)],
          ["owner", cellText(added.ownerId)],
        ]),
        "",
        ...personLinkLines(link),
      ],
    });
  });
}

interface ChangeOptions extends OperatorOptions {
  readonly pauseKeys?: boolean;
  readonly resumeKeys?: boolean;
}

function addDisableCommand(person: Command, terminal: Terminal): void {
  const command = addOperatorOptions(person.command("disable"))
    .summary("end a person's sessions, and disable signing in")
    .argument("<name>", "the person")
    .option("--pause-keys", "pause the API keys of the person's accounts as well");
  command.action(async () => {
    const options = command.optsWithGlobals<ChangeOptions>();
    const call = await connectOperator(terminal, options);
    const { personId: id } = await findPerson(call, command.args[0] ?? "");
    const pauseKeys = options.pauseKeys === true;
    const value = await call("people.disable", { id, body: { pauseKeys } });
    const { active } = await call("people.keys", { id });
    const lines = [
      `${value.name} disabled`,
      ...(pauseKeys ? [`API keys paused: ${value.keys}`] : []),
      ...runningLines(value, pauseKeys ? "suspended" : "armed"),
      ...(pauseKeys || active === 0
        ? []
        : [`API keys that still work: ${active} (--pause-keys pauses them)`]),
    ];
    printResult(terminal, options, { value, lines });
  });
}

function addEnableCommand(person: Command, terminal: Terminal): void {
  const command = addOperatorOptions(person.command("enable"))
    .summary("enable a disabled person")
    .argument("<name>", "the person")
    .option("--resume-keys", "resume the paused API keys of the person's accounts as well");
  command.action(async () => {
    const options = command.optsWithGlobals<ChangeOptions>();
    const call = await connectOperator(terminal, options);
    const { personId: id } = await findPerson(call, command.args[0] ?? "");
    const resumeKeys = options.resumeKeys === true;
    const value = await call("people.enable", { id, body: { resumeKeys } });
    const lines = [
      `${value.name} enabled`,
      ...(resumeKeys ? [`API keys resumed: ${value.keys}`] : []),
      ...runningLines(value, resumeKeys ? "armed" : "armed or suspended"),
    ];
    printResult(terminal, options, { value, lines });
  });
}
