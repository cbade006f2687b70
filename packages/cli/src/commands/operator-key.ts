import { OPERATOR_KEY, type OperatorKey, SCOPES, type Scope } from "@propgate/contract";
import { type Command, Option } from "commander";
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
import { runningLines } from "../render/left-running.ts";
import type { Terminal } from "../terminal.ts";
import { typedAccount } from "../typed-account.ts";
import { typedExpiry } from "../typed-time.ts";

interface CreateOptions extends OperatorOptions {
  readonly account: string;
  readonly scope: readonly Scope[];
  readonly label?: string;
  readonly address?: readonly string[];
  readonly expires?: string;
}

/** `propgate operator key create|list|revoke`. */
export function addOperatorKey(operator: Command, terminal: Terminal): void {
  const key = operator.command("key").summary("create, list and revoke keys");
  addCreate(key, terminal);
  addList(key, terminal);
  const revoke = operatorOptions(key.command("revoke"))
    .summary("revoke a key immediately and permanently")
    .argument("<key-id>", "the key");
  revoke.action(async () => {
    const options = revoke.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const value = await call("keys.revoke", { id: revoke.args[0] ?? "" });
    const lines = [`${value.keyId} revoked`, ...runningLines(value, "armed")];
    print(terminal, options, { value, lines });
  });
}

function addCreate(key: Command, terminal: Terminal): void {
  const command = operatorOptions(key.command("create"))
    .summary("create a key; its secret is shown only once")
    .requiredOption("--account <id>", "the account that it is bound to")
    .addOption(
      new Option("--scope <scope...>", "what it may do").choices([...SCOPES]).default([...SCOPES]),
    )
    .option("--label <text>", "a name for it")
    .option("--address <address...>", "addresses or CIDR blocks that may use it")
    .option(
      "--expires <date>",
      "when it expires: at the end of a day such as 2027-01-31, UTC, or at 2027-01-31T12:00:00Z",
    );
  command.action(async () => {
    const options = command.optsWithGlobals<CreateOptions>();
    const accountId = typedAccount(options.account, "--account");
    const call = await connectOperator(terminal, options);
    const body = {
      accountId,
      scopes: [...new Set(options.scope)],
      ...(options.label === undefined ? {} : { label: options.label }),
      ...(options.address === undefined ? {} : { addresses: options.address }),
      ...(options.expires === undefined ? {} : { expiresAtMs: time(options.expires) }),
    };
    const value = await call("keys.create", { body });
    print(terminal, options, {
      value,
      lines: [
        ...pairs([
          ["account", value.accountId],
          ["scopes", cell(value.scopes)],
        ]),
        "",
        "The secret is shown only once:",
        `  export PROPGATE_KEY_ID=${value.keyId}`,
        `  export PROPGATE_SECRET=${value.secret}`,
      ],
    });
  });
}

function addList(key: Command, terminal: Terminal): void {
  const command = operatorOptions(key.command("list"))
    .summary("list keys, without their secrets")
    .option("--account <id>", "only this account's");
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions & { account?: string }>();
    const query =
      options.account === undefined
        ? {}
        : { accountId: typedAccount(options.account, "--account") };
    const call = await connectOperator(terminal, options);
    const value = await everyPage((page) => call("keys.list", { query: { ...page, ...query } }));
    const rows = value.map((key) => [
      cell(key.keyId),
      cell(key.label),
      keyState(key, terminal.now()),
      cell(key.scopes).replaceAll("trade:", ""),
      timeCell(key.lastUsedAtMs),
    ]);
    print(terminal, options, {
      value,
      columns: columnsOf(OPERATOR_KEY),
      lines:
        rows.length === 0
          ? ["There is no key."]
          : table(["key", "label", "state", "scopes", "last used"], rows),
    });
  });
}

function keyState({ revokedAtMs, expiresAtMs, pausedAtMs }: OperatorKey, nowMs: number): string {
  if (revokedAtMs !== null) return "revoked";
  if (expiresAtMs !== null && expiresAtMs <= nowMs) return "expired";
  return pausedAtMs === null ? "active" : "paused";
}

function time(text: string): number {
  const ms = typedExpiry(text);
  if (ms === null) {
    throw usageError(
      `--expires is not a date: ${text}`,
      "Such as 2027-01-31 or 2027-01-31T12:00:00Z.",
    );
  }
  return ms;
}
