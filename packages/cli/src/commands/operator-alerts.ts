import { ALERT, type Alert } from "@propgate/contract";
import type { Command } from "commander";
import {
  cell,
  connectOperator,
  everyPage,
  type OperatorOptions,
  operatorOptions,
  timeCell,
} from "../operator-client.ts";
import { print, table } from "../output.ts";
import { columnsOf } from "../render/csv.ts";
import type { Terminal } from "../terminal.ts";

interface ListOptions extends OperatorOptions {
  readonly type?: string;
  readonly owner?: string;
  readonly account?: string;
}

/** `propgate operator alerts list`. */
export function addOperatorAlerts(operator: Command, terminal: Terminal): void {
  const alerts = operator.command("alerts").summary("alerts of keys, sessions and webhooks");
  const command = operatorOptions(alerts.command("list"))
    .summary("list alerts, the newest first")
    .option("--type <types>", "only these types, such as key.created,key.revoked")
    .option("--owner <id>", "only of this owner")
    .option("--account <uuid>", "only of this account");
  command.action(async () => {
    const options = command.optsWithGlobals<ListOptions>();
    const call = await connectOperator(terminal, options);
    const { type = "", owner = "", account = "" } = options;
    const chosen = { type, ownerId: owner, accountId: account };
    const items = await everyPage((page) => call("alerts.list", { query: { ...page, ...chosen } }));
    const rows = items.map((one) => [
      timeCell(one.atMs),
      one.type,
      cell(one.ownerId),
      cell(one.accountId),
      aboutOf(one),
    ]);
    const head = ["at", "type", "owner", "account", "about"];
    print(terminal, options, {
      value: items,
      columns: columnsOf(ALERT),
      lines: rows.length === 0 ? ["There is no alert."] : table(head, rows),
    });
  });
}

function aboutOf({ keyId, webhookId, label, address, by, reason }: Alert): string {
  const parts = [keyId ?? webhookId ?? address, label, by, reason];
  return cell(parts.filter((part) => part !== null && part !== "").join(", "));
}
