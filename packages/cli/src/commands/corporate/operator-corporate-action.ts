import { OPERATOR_ACTION, type OperatorAction } from "@propgate/contract";
import type { Command } from "commander";
import { usageError } from "../../cli-error.ts";
import {
  cell,
  connectOperator,
  everyPage,
  type OperatorOptions,
  operatorOptions,
  timeCell,
} from "../../operator-client.ts";
import { pairs, print, table } from "../../output.ts";
import { columnsOf } from "../../render/csv.ts";
import type { Terminal } from "../../terminal.ts";
import { typedTime } from "../../typed-time.ts";

interface AnnounceOptions extends OperatorOptions {
  readonly at: string;
  readonly ratio?: string;
  readonly amount?: string;
  readonly again?: boolean;
}

/** `propgate operator corporate-action split|dividend|list|cancel`. */
export function addOperatorCorporateAction(operator: Command, terminal: Terminal): void {
  const actions = operator
    .command("corporate-action")
    .summary("announce splits and dividends of equities, with their moment");
  addSplit(actions, terminal);
  addDividend(actions, terminal);
  addList(actions, terminal);
  addCancel(actions, terminal);
}

const AT = "its moment with a time zone, such as 2026-12-01T14:30Z";

function addSplit(actions: Command, terminal: Terminal): void {
  const command = operatorOptions(actions.command("split"))
    .summary("announce a split: quantities and prices of every account follow at its moment")
    .argument("<pair>", "the equity, such as AAPL")
    .requiredOption(
      "--ratio <new:old>",
      "new shares for old shares: 4:1, or 1:10 for a reverse split",
    )
    .requiredOption("--at <time>", AT)
    .option("--again", "a second split of the pair within seven days");
  command.action(async () => {
    const options = command.optsWithGlobals<AnnounceOptions>();
    const [, newShares, oldShares] = /^(\d{1,6}):(\d{1,6})$/.exec(options.ratio ?? "") ?? [];
    if (newShares === undefined || oldShares === undefined) {
      throw usageError(`--ratio is not two whole numbers: ${options.ratio}`, "Such as 4:1.");
    }
    const atMs = momentOf(options.at);
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
    print(terminal, options, { value, lines: actionLines(value) });
  });
}

function addDividend(actions: Command, terminal: Terminal): void {
  const command = operatorOptions(actions.command("dividend"))
    .summary("announce a cash dividend: longs receive it and shorts pay it at its moment")
    .argument("<pair>", "the equity, such as AAPL")
    .requiredOption("--amount <number>", "for one share, in the equity's currency")
    .requiredOption("--at <time>", AT);
  command.action(async () => {
    const options = command.optsWithGlobals<AnnounceOptions>();
    const amount = Number(options.amount);
    if (!Number.isFinite(amount)) {
      throw usageError(`--amount is not a number: ${options.amount}`, "Such as 0.24.");
    }
    const atMs = momentOf(options.at);
    const call = await connectOperator(terminal, options);
    const value = await call("corporateActions.announce", {
      body: { pair: command.args[0] ?? "", kind: "dividend", amount, atMs },
    });
    print(terminal, options, { value, lines: actionLines(value) });
  });
}

function addList(actions: Command, terminal: Terminal): void {
  const command = operatorOptions(actions.command("list")).summary(
    "list all corporate actions, newest moment first",
  );
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const items = await everyPage((query) => call("corporateActions.list", { query }));
    const rows = items.map((action) => [
      cell(action.id),
      cell(action.pair),
      whatText(action),
      timeCell(action.atMs),
      cell(action.status),
    ]);
    print(terminal, options, {
      value: items,
      columns: columnsOf(OPERATOR_ACTION),
      lines:
        rows.length === 0
          ? ["There is no corporate action."]
          : table(["action", "pair", "what", "at", "status"], rows),
    });
  });
}

function addCancel(actions: Command, terminal: Terminal): void {
  const command = operatorOptions(actions.command("cancel"))
    .summary("cancel an action, until ten seconds before its moment")
    .argument("<action-id>", "the action");
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const value = await call("corporateActions.cancel", { id: command.args[0] ?? "" });
    print(terminal, options, { value, lines: actionLines(value) });
  });
}

function actionLines(action: OperatorAction): readonly string[] {
  return pairs([
    ["action", cell(action.id)],
    ["pair", cell(action.pair)],
    ["what", whatText(action)],
    ["at", timeCell(action.atMs)],
    ["status", cell(action.status)],
  ]);
}

function whatText({ kind, newShares, oldShares, amount }: OperatorAction): string {
  return kind === "split" ? `split ${newShares}:${oldShares}` : `dividend ${amount}`;
}

/** A time without a zone would mean another moment on another machine. */
export function momentOf(text: string): number {
  const at = typedTime(text);
  if (at === null || at.isDate) {
    throw usageError(`--at is not a time with its zone: ${text}`, "Such as 2026-12-01T14:30Z.");
  }
  return at.ms;
}
