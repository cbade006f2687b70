import { PAYOUT_STATUSES } from "@propgate/contract";
import { type Command, Option } from "commander";
import {
  cell,
  connectOperator,
  everyPage,
  type OperatorOptions,
  operatorOptions,
  timeCell,
} from "../operator-client.ts";
import { pairs, print, table } from "../output.ts";
import type { Terminal } from "../terminal.ts";

interface RecordOptions extends OperatorOptions {
  readonly status: string;
  readonly rail?: string;
  readonly provider?: string;
  readonly reference?: string;
}

/** `propgate operator payouts list|show|record`. */
export function addOperatorPayouts(operator: Command, terminal: Terminal): void {
  const payouts = operator
    .command("payouts")
    .summary("what traders are owed: list payouts and write down payments");
  addList(payouts, terminal);
  addShow(payouts, terminal);
  addRecord(payouts, terminal);
}

function addList(payouts: Command, terminal: Terminal): void {
  const command = operatorOptions(payouts.command("list"))
    .summary("list what is not paid, of all accounts, oldest first")
    .addOption(
      new Option("--status <status>", "only those").choices(
        PAYOUT_STATUSES.filter((status) => status !== "paid"),
      ),
    );
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions & { status?: string }>();
    const call = await connectOperator(terminal, options);
    const query = options.status === undefined ? "" : `&status=${options.status}`;
    const items = await everyPage(call, `/payouts?limit=1000${query}`);
    const rows = items.map((item) => ["id", "amount", "status"].map((field) => cell(item, field)));
    print(terminal, options, {
      value: items,
      lines: rows.length === 0 ? ["Nothing is owed."] : table(["payout", "usd", "status"], rows),
    });
  });
}

function addShow(payouts: Command, terminal: Terminal): void {
  const command = operatorOptions(payouts.command("show"))
    .summary("show a payout, paid or not")
    .argument("<payout-id>", "the payout");
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const value = await call({ method: "GET", path: pathOf(command) });
    print(terminal, options, { value, lines: payoutLines(value) });
  });
}

function addRecord(payouts: Command, terminal: Terminal): void {
  const command = operatorOptions(payouts.command("record"))
    .summary("write down how far a payment is; paid is for good")
    .argument("<payout-id>", "the payout")
    .addOption(
      new Option("--status <status>", "how far it is")
        .choices([...PAYOUT_STATUSES])
        .makeOptionMandatory(),
    )
    .option("--rail <text>", "how it is paid, such as bank; what is not given stays as it was")
    .option("--provider <text>", "who pays it, such as stripe")
    .option("--reference <text>", "the payer's own number for it");
  command.action(async () => {
    const options = command.optsWithGlobals<RecordOptions>();
    const call = await connectOperator(terminal, options);
    const { status, rail, provider, reference } = options;
    const body = {
      status,
      ...(rail === undefined ? {} : { rail }),
      ...(provider === undefined ? {} : { provider }),
      ...(reference === undefined ? {} : { reference }),
    };
    const value = await call({ method: "POST", path: pathOf(command), body });
    print(terminal, options, { value, lines: payoutLines(value) });
  });
}

function pathOf(command: Command): string {
  return `/payouts/${encodeURIComponent(command.args[0] ?? "")}`;
}

function payoutLines(value: unknown): readonly string[] {
  return pairs([
    ["payout", cell(value, "id")],
    ["account", cell(value, "accountId")],
    ["from", timeCell(value, "periodStartMs")],
    ["to", timeCell(value, "periodEndMs")],
    ["usd", cell(value, "amount")],
    ["split", cell(value, "profitSplit")],
    ["status", cell(value, "status")],
    ["rail", cell(value, "rail")],
    ["provider", cell(value, "provider")],
    ["reference", cell(value, "reference")],
    ["paid", timeCell(value, "paidAtMs")],
  ]);
}
