import { ASSET_CLASSES } from "@propgate/contract";
import { type Command, Option } from "commander";
import { usageError } from "../cli-error.ts";
import {
  cell,
  connectOperator,
  everyPage,
  type OperatorOptions,
  operatorOptions,
} from "../operator-client.ts";
import { pairs, print, table } from "../output.ts";
import type { Terminal } from "../terminal.ts";

interface CreateOptions extends OperatorOptions {
  readonly size: string;
  readonly program?: string;
  readonly owner?: string;
  readonly assetClass: string;
  readonly criteria: string;
  readonly dailyLoss?: string;
  readonly tier: string;
  readonly provisioned: boolean;
}

/** `propgate operator account create|list|provision|close|eliminate|promote|offer-pro`. */
export function addOperatorAccount(operator: Command, terminal: Terminal): void {
  const account = operator
    .command("account")
    .summary("open accounts, list them, move them on and end them");
  addCreate(account, terminal);
  addList(account, terminal);
  for (const deed of ["provision", "promote", "close"] as const) {
    const command = deedCommand(account, deed).summary(PLAIN_DEEDS[deed]);
    command.action(() => act({ command, terminal, deed, body: {} }));
  }
  const offer = deedCommand(account, "offer-pro")
    .summary("offer a pro account: a funded one starts on Monday, a challenge at once")
    .requiredOption("--size <usd>", "the pro account's size, such as 200000")
    .option("--program <id>", "the pro program (pro)");
  offer.action(() => {
    const { size, program } = offer.opts<{ size: string; program?: string }>();
    const proAccountSize = number("--size", size);
    const body = { proAccountSize, ...(program === undefined ? {} : { program }) };
    return act({ command: offer, terminal, deed: "offer-pro", body });
  });
  const eliminate = deedCommand(account, "eliminate")
    .summary("end an account: closes its positions, keeps its history")
    .requiredOption("--reason <text>", "recorded once and for ever, and shown to the owner");
  eliminate.action(() => {
    const { reason } = eliminate.opts<{ reason: string }>();
    return act({ command: eliminate, terminal, deed: "eliminate", body: { reason } });
  });
}

const PLAIN_DEEDS = {
  provision: "let an account trade",
  promote: "to the next phase, as if its target or objectives had been reached",
  close: "close an account for good",
} as const;

/** What each is called when it is done. */
const DONE = {
  provision: "provisioned",
  promote: "promoted",
  close: "closed",
  "offer-pro": "offered a pro account",
  eliminate: "eliminated",
} as const;

function deedCommand(account: Command, deed: keyof typeof DONE): Command {
  return operatorOptions(account.command(deed)).argument("<account-id>", "the account");
}

function addCreate(account: Command, terminal: Terminal): void {
  const command = operatorOptions(account.command("create"))
    .summary("open an account")
    .requiredOption("--size <usd>", "what it starts with, such as 100000")
    .option("--program <id>", "what it is sold (classic)")
    .option("--owner <id>", "an owner's id; without one it gets an owner of its own")
    .addOption(
      new Option("--asset-class <class>", "what it may trade")
        .choices([...ASSET_CLASSES])
        .default("all_markets"),
    )
    .addOption(
      new Option("--criteria <name>", "how its other limit is measured")
        .choices(["static", "trailing"])
        .default("static"),
    )
    .option("--daily-loss <percent>", "its daily loss limit, where the program has a choice")
    .addOption(new Option("--tier <n>", "leverage tier").choices(["1", "2", "3"]).default("1"))
    .option("--no-provisioned", "it exists, but does not trade yet");
  command.action(async () => {
    const options = command.optsWithGlobals<CreateOptions>();
    const call = await connectOperator(terminal, options);
    const body = {
      size: number("--size", options.size),
      assetClass: options.assetClass,
      drawdownCriteria: options.criteria,
      tier: Number(options.tier),
      provisioned: options.provisioned,
      ...(options.program === undefined ? {} : { program: options.program }),
      ...(options.owner === undefined ? {} : { ownerId: options.owner }),
      ...(options.dailyLoss === undefined
        ? {}
        : { dailyLossPct: number("--daily-loss", options.dailyLoss) }),
    };
    const value = await call({ method: "POST", path: "/accounts", body });
    const id = cell(value, "accountId");
    print(terminal, options, {
      value,
      lines: [
        ...pairs([["account", id]]),
        "",
        "Give it a key:",
        `  propgate operator key create --account ${id}`,
      ],
    });
  });
}

function addList(account: Command, terminal: Terminal): void {
  const command = operatorOptions(account.command("list")).summary("list all accounts");
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const items = await everyPage(await connectOperator(terminal, options), "/accounts?limit=1000");
    const rows = items.map((item) => [
      cell(item, "accountId"),
      cell(item, "status"),
      cell(item, "phase"),
      cell(item, "size"),
      cell(item, "balance"),
    ]);
    print(terminal, options, {
      value: items,
      lines:
        rows.length === 0
          ? [
              "There is no account yet. Open one with: propgate operator account create --size 100000",
            ]
          : table(["account", "status", "phase", "size", "balance"], rows),
    });
  });
}

async function act(what: {
  readonly command: Command;
  readonly terminal: Terminal;
  readonly deed: keyof typeof DONE;
  readonly body: Readonly<Record<string, unknown>>;
}): Promise<void> {
  const { command, terminal, deed, body } = what;
  const options = command.optsWithGlobals<OperatorOptions>();
  const call = await connectOperator(terminal, options);
  const id = encodeURIComponent(command.args[0] ?? "");
  const value = await call({ method: "POST", path: `/accounts/${id}/${deed}`, body });
  const line = `${cell(value, "accountId")} ${DONE[deed]}`;
  print(terminal, options, { value, lines: [line] });
}

function number(option: string, text: string): number {
  const value = Number(text.replaceAll("_", ""));
  if (text.trim() === "" || !Number.isFinite(value)) {
    throw usageError(`${option} is no number: ${text}`);
  }
  return value;
}
