import type { Command } from "commander";
import { usageError } from "../../cli-error.ts";
import { actionLines } from "../../operator/views/desk-views.ts";
import {
  addOperatorOptions,
  connectOperator,
  type OperatorOptions,
} from "../../operator-client.ts";
import { printResult } from "../../output.ts";
import type { Terminal } from "../../terminal.ts";
import { parseExactTimeOption } from "../../typed-time.ts";

interface AnnounceOptions extends OperatorOptions {
  readonly at: string;
  readonly ratio?: string;
  readonly amount?: string;
  readonly again?: boolean;
}

/** `propgate operator corporate-actions split|dividend`: announces a split or a dividend of an equity. */
export function addOperatorCorporateAction(operator: Command, terminal: Terminal): void {
  const actions = operator
    .command("corporate-actions")
    .summary("announce splits and dividends of equities, with their moment");
  addSplit(actions, terminal);
  addDividend(actions, terminal);
}

const MOMENT_OPTION_HELP = "its moment with a time zone, such as 2026-12-01T14:30Z";

function addSplit(actions: Command, terminal: Terminal): void {
  const command = addOperatorOptions(actions.command("split"))
    .summary("announce a split: quantities and prices of every account follow at its moment")
    .argument("<pair>", "the equity, such as AAPL")
    .requiredOption(
      "--ratio <new:old>",
      "new shares for old shares: 4:1, or 1:10 for a reverse split",
    )
    .requiredOption("--at <time>", MOMENT_OPTION_HELP)
    .option("--again", "a second split of the pair within seven days");
  command.action(async () => {
    const options = command.optsWithGlobals<AnnounceOptions>();
    const [, newShares, oldShares] = /^(\d{1,6}):(\d{1,6})$/.exec(options.ratio ?? "") ?? [];
    if (newShares === undefined || oldShares === undefined) {
      throw usageError(`--ratio is not two whole numbers: ${options.ratio}`, "Such as 4:1.");
    }
    const atMs = parseExactTimeOption(options.at, "--at");
    const call = await connectOperator(terminal, options);
    const value = await call("corporateActions.announce", {
      body: {
        pair: command.args[0] ?? "",
        kind: "split",
        newShares: Number(newShares),
        oldShares: Number(oldShares),
        atMs,
        ...(options.again === true ? { again: true } : {}),
      },
    });
    printResult(terminal, options, { value, lines: actionLines(value) });
  });
}

function addDividend(actions: Command, terminal: Terminal): void {
  const command = addOperatorOptions(actions.command("dividend"))
    .summary("announce a cash dividend: longs receive it and shorts pay it at its moment")
    .argument("<pair>", "the equity, such as AAPL")
    .requiredOption("--amount <number>", "for one share, in the equity's currency")
    .requiredOption("--at <time>", MOMENT_OPTION_HELP);
  command.action(async () => {
    const options = command.optsWithGlobals<AnnounceOptions>();
    const amount = Number(options.amount);
    if (!Number.isFinite(amount)) {
      throw usageError(`--amount is not a number: ${options.amount}`, "Such as 0.24.");
    }
    const atMs = parseExactTimeOption(options.at, "--at");
    const call = await connectOperator(terminal, options);
    const value = await call("corporateActions.announce", {
      body: { pair: command.args[0] ?? "", kind: "dividend", amount, atMs },
    });
    printResult(terminal, options, { value, lines: actionLines(value) });
  });
}
