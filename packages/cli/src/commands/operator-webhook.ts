import {
  type NewWebhookRequest,
  type OperatorAnswer,
  WEBHOOK,
  WEBHOOK_PAYLOADS,
  WEBHOOK_SIGNATURES,
  type Webhook,
  type WebhookSignature,
} from "@propgate/contract";
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
import type { Terminal } from "../terminal.ts";
import { typedTime } from "../typed-time.ts";

interface MakeOptions extends OperatorOptions {
  readonly label?: string;
  readonly payload?: NonNullable<NewWebhookRequest["payload"]>;
  readonly types?: string;
  readonly account?: string;
  readonly program?: string;
  readonly signatures?: string;
  readonly from: "head" | "start";
  readonly disabled?: boolean;
}

interface ChangeOptions extends OperatorOptions {
  readonly address?: string;
  readonly label?: string;
  readonly payload?: NonNullable<NewWebhookRequest["payload"]>;
  readonly types?: string;
  readonly signatures?: string;
  readonly enabled?: "yes" | "no";
}

interface PageOptions extends OperatorOptions {
  readonly after?: string;
  readonly limit?: string;
}

interface ReplayOptions extends OperatorOptions {
  readonly account?: string;
  readonly fromSequence?: string;
  readonly fromTime?: string;
}

/** `propgate operator webhook …`. */
export function addOperatorWebhook(operator: Command, terminal: Terminal): void {
  const webhook = operator.command("webhook").summary("events sent to an address, in order");
  addMake(webhook, terminal);
  addList(webhook, terminal);
  addChange(webhook, terminal);
  addRotate(webhook, terminal);
  addLanes(webhook, terminal);
  addDeliveries(webhook, terminal);
  addReplay(webhook, terminal);
  addSends(webhook, terminal);
  const remove = idCommand(webhook, "delete", "delete a webhook, its lanes and its attempts");
  remove.action(async () => {
    const options = remove.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const value = await call("webhooks.delete", { id: idOf(remove) });
    print(terminal, options, { value, lines: [`${value.id} deleted`] });
  });
  const resume = idCommand(webhook, "resume", "let parked lanes go on where they stopped").option(
    "--account <uuid>",
    "the lane of one account",
  );
  resume.action(async () => {
    const options = resume.optsWithGlobals<OperatorOptions & { readonly account?: string }>();
    const call = await connectOperator(terminal, options);
    const body = options.account === undefined ? {} : { accountId: options.account };
    const value = await call("webhooks.resume", { id: idOf(resume), body });
    print(terminal, options, { value, lines: shown(value) });
  });
}

function idCommand(webhook: Command, name: string, summary: string): Command {
  return operatorOptions(webhook.command(name))
    .summary(summary)
    .argument("<id>", "the webhook: wh_ and 32 digits");
}

function idOf({ args }: Command): string {
  return args[0] ?? "";
}

function addMake(webhook: Command, terminal: Terminal): void {
  const command = operatorOptions(webhook.command("make"))
    .summary("send events to an address; the secret is shown only once")
    .argument("<address>", "where they are sent, with https")
    .option("--label <text>", "for people")
    .option("--types <types>", "types of events, with commas between them (all)")
    .option("--account <uuid>", "one account (all)")
    .option("--program <id>", "the accounts on one program (all)")
    .addOption(signaturesOption())
    .addOption(payloadOption())
    .addOption(
      new Option("--from <place>", "after each account's newest event, or at its first")
        .choices(["head", "start"])
        .default("head"),
    )
    .option("--disabled", "send nothing until it is enabled");
  command.action(async () => {
    const options = command.optsWithGlobals<MakeOptions>();
    const call = await connectOperator(terminal, options);
    const value = await call("webhooks.create", {
      body: {
        url: command.args[0] ?? "",
        from: options.from,
        enabled: options.disabled !== true,
        ...(options.payload === undefined ? {} : { payload: options.payload }),
        ...(options.label === undefined ? {} : { label: options.label }),
        ...(options.types === undefined ? {} : { types: options.types.split(",") }),
        ...(options.account === undefined ? {} : { accountId: options.account }),
        ...(options.program === undefined ? {} : { programId: options.program }),
        ...(options.signatures === undefined ? {} : { signatures: schemesOf(options.signatures) }),
      },
    });
    print(terminal, options, { value, lines: withSecret(value) });
  });
}

function payloadOption(): Option {
  const about = "the event, or a sentence about it for Discord, Slack or Mattermost";
  return new Option("--payload <form>", about).choices([...WEBHOOK_PAYLOADS]);
}

/** Typed with commas between them, as types are. */
function signaturesOption(): Option {
  const about = "v1, or v1,v1a for receivers that verify with the public key too";
  return new Option("--signatures <schemes>", about).choices(["v1", "v1,v1a"]);
}

function schemesOf(typed: string): WebhookSignature[] {
  const schemes = typed.split(",");
  return WEBHOOK_SIGNATURES.filter((one) => schemes.includes(one));
}

function addList(webhook: Command, terminal: Terminal): void {
  const command = operatorOptions(webhook.command("list")).summary("list webhooks");
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const items = await everyPage((query) => call("webhooks.list", { query }));
    const rows = items.map((one) => [
      one.id,
      cell(one.url),
      cell(one.label),
      stateOf(one),
      cell(one.accountId),
    ]);
    print(terminal, options, {
      value: items,
      columns: columnsOf(WEBHOOK),
      lines:
        rows.length === 0
          ? ["There is no webhook."]
          : table(["id", "address", "label", "state", "account"], rows),
    });
  });
}

function addChange(webhook: Command, terminal: Terminal): void {
  const command = idCommand(webhook, "change", "change a webhook")
    .option("--address <url>", "another address, with https")
    .option("--label <text>", "for people")
    .option("--types <types>", "types of events, with commas between them; all for every type")
    .addOption(payloadOption())
    .addOption(signaturesOption())
    .addOption(
      new Option("--enabled <answer>", "no: send nothing, and lose nothing").choices(["yes", "no"]),
    );
  command.action(async () => {
    const options = command.optsWithGlobals<ChangeOptions>();
    const { address, label, types, payload, signatures, enabled } = options;
    const call = await connectOperator(terminal, options);
    const value = await call("webhooks.update", {
      id: idOf(command),
      body: {
        ...(address === undefined ? {} : { url: address }),
        ...(label === undefined ? {} : { label }),
        ...(types === undefined ? {} : { types: types === "all" ? null : types.split(",") }),
        ...(payload === undefined ? {} : { payload }),
        ...(signatures === undefined ? {} : { signatures: schemesOf(signatures) }),
        ...(enabled === undefined ? {} : { enabled: enabled === "yes" }),
      },
    });
    print(terminal, options, { value, lines: shown(value) });
  });
}

const DEFAULT_OVERLAP_HOURS = 24;
const MS_PER_HOUR = 3_600_000;

function addRotate(webhook: Command, terminal: Terminal): void {
  const command = idCommand(
    webhook,
    "rotate",
    "make a new secret; the old one signs too for a while",
  ).option("--overlap-hours <n>", "hours, at most 168", String(DEFAULT_OVERLAP_HOURS));
  command.action(async () => {
    const options = command.optsWithGlobals<OperatorOptions & { readonly overlapHours: string }>();
    if (!/^\d{1,3}$/.test(options.overlapHours)) {
      throw usageError(`--overlap-hours must be whole hours, not ${options.overlapHours}`);
    }
    const overlapMs = Number(options.overlapHours) * MS_PER_HOUR;
    const call = await connectOperator(terminal, options);
    const value = await call("webhooks.rotate", { id: idOf(command), body: { overlapMs } });
    print(terminal, options, { value, lines: withSecret(value) });
  });
}

function pageCommand(webhook: Command, name: string, summary: string): Command {
  return idCommand(webhook, name, summary)
    .option("--after <place>", "`next` of the page before")
    .option("--limit <n>", "items of a page");
}

function pageQuery({ after, limit }: PageOptions) {
  return {
    ...(after === undefined ? {} : { after }),
    ...(limit === undefined ? {} : { limit }),
  };
}

function addLanes(webhook: Command, terminal: Terminal): void {
  const command = pageCommand(webhook, "lanes", "show how far a webhook has got with each account");
  command.action(async () => {
    const options = command.optsWithGlobals<PageOptions>();
    const call = await connectOperator(terminal, options);
    const value = await call("webhooks.lanes", { id: idOf(command), query: pageQuery(options) });
    const rows = value.items.map((lane) => [
      lane.accountId,
      lane.state,
      String(lane.deliveredSequence),
      String(lane.behind),
      String(lane.attempts),
      timeCell(lane.nextAttemptMs),
      cell(lane.lastStatus),
    ]);
    const head = ["account", "state", "delivered", "behind", "attempts", "next try", "status"];
    print(terminal, options, { value, lines: [...table(head, rows), ...more(value.next)] });
  });
}

function addDeliveries(webhook: Command, terminal: Terminal): void {
  const command = pageCommand(webhook, "deliveries", "show the attempts of the last 30 days");
  command.action(async () => {
    const options = command.optsWithGlobals<PageOptions>();
    const call = await connectOperator(terminal, options);
    const id = idOf(command);
    const value = await call("webhooks.deliveries", { id, query: pageQuery(options) });
    const rows = value.items.map((one) => [
      timeCell(one.atMs),
      one.eventId,
      String(one.attempt),
      cell(one.status ?? one.error),
      `${one.latencyMs} ms`,
    ]);
    const head = ["at", "event", "attempt", "result", "took"];
    print(terminal, options, { value, lines: [...table(head, rows), ...more(value.next)] });
  });
}

function more(next: string | null): readonly string[] {
  return next === null ? [] : [`More with --after ${next}`];
}

function addReplay(webhook: Command, terminal: Terminal): void {
  const command = idCommand(webhook, "replay", "send events again, in order")
    .option("--account <uuid>", "the lane of one account (all)")
    .option("--from-sequence <n>", "the first event that comes again; 1 without --account")
    .option("--from-time <time>", "the first event at that time or later");
  command.action(async () => {
    const options = command.optsWithGlobals<ReplayOptions>();
    const call = await connectOperator(terminal, options);
    const { account } = options;
    const body = {
      ...replayFrom(options),
      ...(account === undefined ? {} : { accountId: account }),
    };
    const value = await call("webhooks.replay", { id: idOf(command), body });
    print(terminal, options, { value, lines: shown(value) });
  });
}

function replayFrom({ fromSequence, fromTime }: ReplayOptions) {
  if ((fromSequence === undefined) === (fromTime === undefined)) {
    throw usageError("give --from-sequence or --from-time", "Such as --from-sequence 1.");
  }
  if (fromSequence !== undefined) {
    if (!/^[1-9]\d{0,14}$/.test(fromSequence)) {
      throw usageError(`--from-sequence must be a whole number from 1, not ${fromSequence}`);
    }
    return { fromSequence: Number(fromSequence) };
  }
  const time = typedTime(fromTime ?? "");
  if (time === null) throw usageError(`--from-time is not a time with a zone: ${fromTime}`);
  return { fromMs: time.ms };
}

/** `test` and `send`. */
function addSends(webhook: Command, terminal: Terminal): void {
  const test = idCommand(webhook, "test", "send a webhook.test now");
  test.action(async () => {
    const options = test.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    await printAttempt(terminal, options, call("webhooks.test", { id: idOf(test), body: {} }));
  });
  const send = idCommand(webhook, "send", "send one event again, outside the lanes").argument(
    "<event>",
    "its id, such as evt_5d0c3e0e8f3b4c6d9a572f1c7a0b9e11_418",
  );
  send.action(async () => {
    const options = send.optsWithGlobals<OperatorOptions>();
    const call = await connectOperator(terminal, options);
    const body = { eventId: send.args[1] ?? "" };
    await printAttempt(terminal, options, call("webhooks.send", { id: idOf(send), body }));
  });
}

async function printAttempt(
  terminal: Terminal,
  options: OperatorOptions,
  attempt: Promise<OperatorAnswer<"webhooks.test">>,
): Promise<void> {
  const value = await attempt;
  print(terminal, options, {
    value,
    lines: pairs([
      ["result", cell(value.status ?? value.error)],
      ["took", `${value.latencyMs} ms`],
      ["answer", cell(value.answer)],
    ]),
  });
}

function stateOf({ state, stateReason, parkedLanes }: Webhook): string {
  if (state === "parked") return `parked (${parkedLanes} lanes)`;
  return stateReason === null ? state : `${state} (${stateReason})`;
}

function shown(webhook: Webhook): readonly string[] {
  return pairs([
    ["webhook", webhook.id],
    ["address", cell(webhook.url)],
    ["label", cell(webhook.label)],
    ["types", webhook.types === null ? "all" : webhook.types.join(", ")],
    ["account", webhook.accountId ?? "all"],
    ["program", webhook.programId ?? "all"],
    ["signatures", webhook.signatures.join(", ")],
    ["state", stateOf(webhook)],
  ]);
}

function withSecret(made: OperatorAnswer<"webhooks.create">): readonly string[] {
  return [...shown(made), "", "The secret is shown only once:", `  ${made.secret}`];
}
