import { OPERATOR_FUNDING, type Wire } from "@propgate/contract";
import type { Command } from "commander";
import { usageError } from "../../cli-error.ts";
import {
  cell,
  connectOperator,
  type OperatorOptions,
  operatorOptions,
  timeCell,
} from "../../operator-client.ts";
import { print, table } from "../../output.ts";
import { columnsOf } from "../../render/csv.ts";
import type { Terminal } from "../../terminal.ts";
import { momentOf } from "./operator-corporate-action.ts";

/** `propgate operator funding set|withdraw|list`. */
export function addOperatorFunding(operator: Command, terminal: Terminal): void {
  const funding = operator
    .command("funding")
    .summary("hourly funding rates of pairs whose carry comes from the source");
  addSet(funding, terminal);
  addWithdraw(funding, terminal);
  addList(funding, terminal);
}

function addSet(funding: Command, terminal: Terminal): void {
  const command = operatorOptions(funding.command("set"))
    .summary("set the rate of an hour in place of another, within five minutes after it")
    .argument("<pair>", "the pair")
    .argument("<rate>", "a share of the value held: 0.0001 is 0.01 %; above 0 longs pay shorts")
    .requiredOption("--at <time>", "the hour with a time zone, such as 2026-12-01T14:00Z")
    .option("--large", "the rate is beyond 0.75 % an hour, and meant");
  command.action(async () => {
    const options = command.optsWithGlobals<
      OperatorOptions & { readonly at: string; readonly large?: boolean }
    >();
    const [pair = "", text = ""] = command.args;
    const rate = Number(text);
    if (text.trim() === "" || !Number.isFinite(rate)) {
      throw usageError(`the rate is not a number: ${text}`, "Such as 0.0001.");
    }
    const atMs = momentOf(options.at);
    const call = await connectOperator(terminal, options);
    const value = await call("funding.set", {
      body: { pair, rate, atMs, ...(options.large === true ? { large: true } : {}) },
    });
    print(terminal, options, { value, lines: [rateLine(value)] });
  });
}

function addWithdraw(funding: Command, terminal: Terminal): void {
  const command = operatorOptions(funding.command("withdraw"))
    .summary(
      "withdraw the rate that an operator set for an hour, until ten seconds before its charge",
    )
    .argument("<pair>", "the pair")
    .requiredOption("--at <time>", "the hour with a time zone, such as 2026-12-01T14:00Z");
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions & { readonly at: string }>();
    const [id = ""] = command.args;
    const query = { atMs: String(momentOf(options.at)) };
    const call = await connectOperator(terminal, options);
    const value = await call("funding.withdraw", { id, query });
    print(terminal, options, { value, lines: [`${rateLine(value)} withdrawn`] });
  });
}

function rateLine({ pair, rate, atMs }: Wire<typeof OPERATOR_FUNDING>): string {
  return `${pair} ${rate} at ${timeCell(atMs)}`;
}

function addList(funding: Command, terminal: Terminal): void {
  const command = operatorOptions(funding.command("list")).summary(
    "list the newest rates, newest hour first",
  );
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const { items } = await call("funding.list", { query: { limit: "500" } });
    const rows = items.map(({ pair, atMs, rate, source }) => [
      cell(pair),
      timeCell(atMs),
      cell(rate),
      cell(source),
    ]);
    print(terminal, options, {
      value: items,
      columns: columnsOf(OPERATOR_FUNDING),
      lines:
        rows.length === 0
          ? ["No funding rate is stored."]
          : table(["pair", "hour", "rate", "source"], rows),
    });
  });
}
