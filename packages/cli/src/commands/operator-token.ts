import { OPERATOR_TOKEN_LINE, type OperatorTokenLine } from "@propgate/contract";
import type { Command } from "commander";
import { usageError } from "../cli-error.ts";
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

/** `propgate operator token add|list|revoke`. */
export function addOperatorToken(operator: Command, terminal: Terminal): void {
  const token = operator.command("token").summary("named operator tokens that expire");
  addAdd(token, terminal);
  addList(token, terminal);
  const revoke = operatorOptions(token.command("revoke"))
    .summary("revoke a named token; every node rejects it within a second")
    .argument("<name>", "the token's name");
  revoke.action(async () => {
    const options = revoke.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const value = await call("tokens.revoke", { id: revoke.args[0] ?? "" });
    print(terminal, options, { value, lines: [`${value.name} revoked`] });
  });
}

function addAdd(token: Command, terminal: Terminal): void {
  const command = operatorOptions(token.command("add"))
    .summary("add a named token; it is shown only once")
    .argument("<name>", "the name of the program that uses it, which the audit shows")
    .option(
      "--expires <duration>",
      "hours or days until it expires: 12h, 30d, at most 366d",
      "30d",
    );
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions & { readonly expires: string }>();
    const expiresInHours = hours(options.expires);
    const call = await connectOperator(terminal, options);
    const body = { name: command.args[0] ?? "", expiresInHours };
    const value = await call("tokens.add", { body });
    print(terminal, options, {
      value,
      lines: [
        ...pairs([
          ["name", cell(value.name)],
          ["expires", timeCell(value.expiresAtMs)],
        ]),
        "",
        "The token is shown only once:",
        `  export PROPGATE_OPERATOR_TOKEN=${value.token}`,
      ],
    });
  });
}

function addList(token: Command, terminal: Terminal): void {
  const command = operatorOptions(token.command("list")).summary(
    "list named tokens, without the tokens themselves",
  );
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const value = await everyPage((page) =>
      call("tokens.list", { query: { ...page, sort: "name" } }),
    );
    const rows = value.map((token) => [
      cell(token.name),
      tokenState(token, terminal.now()),
      timeCell(token.expiresAtMs),
      timeCell(token.lastUsedAtMs),
      cell(token.lastUsedFrom),
    ]);
    print(terminal, options, {
      value,
      columns: columnsOf(OPERATOR_TOKEN_LINE),
      lines:
        rows.length === 0
          ? ["There is no named token."]
          : table(["name", "state", "expires", "last used", "from"], rows),
    });
  });
}

function tokenState({ revokedAtMs, expiresAtMs }: OperatorTokenLine, nowMs: number): string {
  if (revokedAtMs !== null) return "revoked";
  return expiresAtMs <= nowMs ? "expired" : "active";
}

const HOURS_PER_DAY = 24;

function hours(text: string): number {
  const [, digits, unit] = /^(\d{1,4})(h|d)$/.exec(text) ?? [];
  if (digits === undefined) {
    throw usageError(`--expires is not a number of hours or days: ${text}`, "Such as 12h or 30d.");
  }
  return Number(digits) * (unit === "d" ? HOURS_PER_DAY : 1);
}
