import { ASSET_CLASSES } from "@propgate/contract";
import { type Command, Option } from "commander";
import { usageError } from "../cli-error.ts";
import {
  type CallOperator,
  cell,
  connectOperator,
  isRecord,
  type OperatorOptions,
  operatorOptions,
} from "../operator-client.ts";
import { pairs, print, table } from "../output.ts";
import type { Terminal } from "../terminal.ts";

interface CreateOptions extends OperatorOptions {
  readonly size: string;
  readonly owner?: string;
  readonly assetClass: string;
  readonly criteria: string;
  readonly dailyLoss?: string;
  readonly tier: string;
  readonly provisioned: boolean;
}

/** `propgate operator account create|list|provision|close|eliminate`. */
export function addOperatorAccount(operator: Command, terminal: Terminal): void {
  const account = operator.command("account").summary("open and list accounts");
  addCreate(account, terminal);
  addList(account, terminal);
  for (const deed of ["provision", "close"] as const) {
    const command = operatorOptions(account.command(deed))
      .summary(deed === "close" ? "close an account for good" : "let an account trade")
      .argument("<account-id>", "the account");
    command.action(() => act({ command, terminal, deed, body: {} }));
  }
  const eliminate = operatorOptions(account.command("eliminate"))
    .summary("end an account: closes its positions, keeps its history")
    .argument("<account-id>", "the account")
    .requiredOption("--reason <text>", "recorded once and for ever, and shown to the owner");
  eliminate.action(() => {
    const { reason } = eliminate.opts<{ reason: string }>();
    return act({ command: eliminate, terminal, deed: "eliminate", body: { reason } });
  });
}

function addCreate(account: Command, terminal: Terminal): void {
  const command = operatorOptions(account.command("create"))
    .summary("open an account")
    .requiredOption("--size <usd>", "what it starts with, such as 100000")
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
      ...(options.owner === undefined ? {} : { ownerId: options.owner }),
      ...(options.dailyLoss === undefined
        ? {}
        : { dailyLossPct: number("--daily-loss", options.dailyLoss) }),
    };
    const value = await call({ method: "POST", path: "/accounts", body });
    const id = cell(value, "accountId");
    print(terminal, options.json === true, {
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
    const items = await allAccounts(await connectOperator(terminal, options));
    const rows = items.map((item) => [
      cell(item, "accountId"),
      cell(item, "status"),
      cell(item, "phase"),
      cell(item, "size"),
      cell(item, "balance"),
    ]);
    print(terminal, options.json === true, {
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

async function allAccounts(call: CallOperator): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  let next = "";
  do {
    const query: string = next === "" ? "" : `&after=${encodeURIComponent(next)}`;
    const page = await call({ method: "GET", path: `/accounts?limit=1000${query}` });
    if (!isRecord(page)) break;
    if (Array.isArray(page.items)) items.push(...page.items);
    next = typeof page.next === "string" ? page.next : "";
  } while (next !== "");
  return items;
}

async function act(what: {
  readonly command: Command;
  readonly terminal: Terminal;
  readonly deed: "provision" | "close" | "eliminate";
  readonly body: Readonly<Record<string, unknown>>;
}): Promise<void> {
  const { command, terminal, deed, body } = what;
  const options = command.optsWithGlobals<OperatorOptions>();
  const call = await connectOperator(terminal, options);
  const id = encodeURIComponent(command.args[0] ?? "");
  const value = await call({ method: "POST", path: `/accounts/${id}/${deed}`, body });
  const done = { provision: "provisioned", close: "closed", eliminate: "eliminated" }[deed];
  print(terminal, options.json === true, { value, lines: [`${cell(value, "accountId")} ${done}`] });
}

function number(option: string, text: string): number {
  const value = Number(text.replaceAll("_", ""));
  if (text.trim() === "" || !Number.isFinite(value)) {
    throw usageError(`${option} is no number: ${text}`);
  }
  return value;
}
