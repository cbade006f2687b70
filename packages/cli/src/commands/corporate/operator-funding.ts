import { OPERATOR_FUNDING } from "@propgate/contract";
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

/** `propgate operator funding set|list`. */
export function addOperatorFunding(operator: Command, terminal: Terminal): void {
  const funding = operator
    .command("funding")
    .summary("hourly funding rates of pairs whose carry comes from the source");
  addSet(funding, terminal);
  addList(funding, terminal);
}

function addSet(funding: Command, terminal: Terminal): void {
  const command = operatorOptions(funding.command("set"))
    .summary("set the rate of an hour in place of the venue's, within five minutes after it")
    .argument("<pair>", "the pair")
    .argument("<rate>", "a share of the value held: 0.0001 is 0.01 %; above 0 longs pay shorts")
    .requiredOption("--at <time>", "the hour with a time zone, such as 2026-12-01T14:00Z");
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions & { readonly at: string }>();
    const [pair = "", text = ""] = command.args;
    const rate = Number(text);
    if (text.trim() === "" || !Number.isFinite(rate)) {
      throw usageError(`the rate is not a number: ${text}`, "Such as 0.0001.");
    }
    const atMs = momentOf(options.at);
    const call = await connectOperator(terminal, options);
    const value = await call("funding.set", { body: { pair, rate, atMs } });
    const line = `${value.pair} ${value.rate} at ${timeCell(value.atMs)}`;
    print(terminal, options, { value, lines: [line] });
  });
}

function addList(funding: Command, terminal: Terminal): void {
  const command = operatorOptions(funding.command("list")).summary(
    "list the newest rates, newest hour first",
  );
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const { items } = await call("funding.list");
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
