import {
  OPERATOR_PAYOUT,
  type OperatorPayout,
  PAYOUT_STATUSES,
  type RecordPaymentRequest,
} from "@propgate/contract";
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
import { columnsOf } from "../render/csv.ts";
import type { Terminal } from "../terminal.ts";

interface RecordOptions extends OperatorOptions, RecordPaymentRequest {}

const UNPAID = PAYOUT_STATUSES.filter((status) => status !== "paid");

/** `propgate operator payouts list|show|record`. */
export function addOperatorPayouts(operator: Command, terminal: Terminal): void {
  const payouts = operator
    .command("payouts")
    .summary("list payouts that are due, and record payments");
  addList(payouts, terminal);
  addShow(payouts, terminal);
  addRecord(payouts, terminal);
}

function addList(payouts: Command, terminal: Terminal): void {
  const command = operatorOptions(payouts.command("list"))
    .summary("list unpaid payouts of all accounts, oldest first")
    .addOption(new Option("--status <status>", "only payouts with this status").choices(UNPAID));
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions & { status?: string }>();
    const call = await connectOperator(terminal, options);
    const { status = UNPAID.join(",") } = options;
    const query = { status, sort: "periodEndMs" };
    const items = await everyPage((page) => call("payouts.list", { query: { ...page, ...query } }));
    const rows = items.map((item) => [item.id, item.amount, statusOf(item)].map(cell));
    print(terminal, options, {
      value: items,
      columns: columnsOf(OPERATOR_PAYOUT),
      lines: rows.length === 0 ? ["No unpaid payouts."] : table(["payout", "usd", "status"], rows),
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
    const value = await call("payouts.get", { id: command.args[0] ?? "" });
    print(terminal, options, { value, lines: payoutLines(value) });
  });
}

function addRecord(payouts: Command, terminal: Terminal): void {
  const command = operatorOptions(payouts.command("record"))
    .summary("record the status of a payment; paid is final")
    .argument("<payout-id>", "the payout")
    .addOption(
      new Option("--status <status>", "the new status")
        .choices([...PAYOUT_STATUSES])
        .makeOptionMandatory(),
    )
    .option("--rail <text>", "how it is paid, such as bank; omitted options keep their value")
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
    const value = await call("payouts.record", { id: command.args[0] ?? "", body });
    print(terminal, options, { value, lines: payoutLines(value) });
  });
}

/** Whether a restored payout was paid after the backup is not known here. */
function statusOf({ status, restored }: OperatorPayout): string | null {
  return restored ? `${status}, restored` : status;
}

function payoutLines(payout: OperatorPayout): readonly string[] {
  return pairs([
    ["payout", cell(payout.id)],
    ["account", cell(payout.accountId)],
    ["from", timeCell(payout.periodStartMs)],
    ["to", timeCell(payout.periodEndMs)],
    ["usd", cell(payout.amount)],
    ["split", cell(payout.profitSplit)],
    ["status", cell(statusOf(payout))],
    ["rail", cell(payout.rail)],
    ["provider", cell(payout.provider)],
    ["reference", cell(payout.reference)],
    ["paid", timeCell(payout.paidAtMs)],
  ]);
}
