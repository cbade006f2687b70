import {
  LIMITS,
  LIST_FILE_TYPES,
  type ListFileFormat,
  type OperatorEvents,
  type OperatorQuery,
} from "@propgate/contract";
import { type Command, Option } from "commander";
import { usageError } from "../cli-error.ts";
import {
  connectOperator,
  fetchEventFile,
  type OperatorOptions,
  operatorOptions,
  timeCell,
} from "../operator-client.ts";
import { type OutputOptions, print, table } from "../output.ts";
import type { Terminal } from "../terminal.ts";
import { typedAccount } from "../typed-account.ts";

interface FilterOptions extends OperatorOptions {
  readonly after?: string;
  readonly types?: string;
  readonly account?: string;
  readonly program?: string;
}

interface ListOptions extends FilterOptions, OutputOptions {
  readonly limit?: string;
  readonly wait?: string;
}

interface ExportOptions extends FilterOptions {
  readonly format: ListFileFormat;
}

const FORMATS: readonly string[] = Object.keys(LIST_FILE_TYPES);

/** `propgate operator events list|export`. */
export function addOperatorEvents(operator: Command, terminal: Terminal): void {
  const events = operator
    .command("events")
    .summary("read what happened on all accounts")
    .description(
      "Read the events of all accounts. Those of one account come by their numbers; between accounts there is no order.",
    );
  addList(events, terminal);
  addExport(events, terminal);
}

function filterOptions(command: Command, start: string): Command {
  return operatorOptions(command)
    .option("--after <next>", `only what follows this place; 0 is before the first event. ${start}`)
    .option("--types <types>", "only these types, such as order.filled,account.eliminated")
    .option("--account <id>", "only this account")
    .option("--program <id>", "only accounts that are on this program after the event");
}

function addList(events: Command, terminal: Terminal): void {
  const command = filterOptions(events.command("list"), "Only new events without it")
    .summary("list a page of events, and the place where the next one begins")
    .option("--limit <n>", `number of events, 1 to ${LIMITS.eventsLimitMax} (default: 50)`)
    .option("--wait <seconds>", `wait for an event, up to ${LIMITS.eventsWaitSecondsMax} seconds`);
  command.action(async () => {
    const options = command.optsWithGlobals<ListOptions>();
    const [limit, wait] = [typed("--limit", options.limit), typed("--wait", options.wait)];
    const query = { ...filterOf(options), limit, wait };
    const call = await connectOperator(terminal, options);
    const page = await call("events.list", { query });
    // A spreadsheet takes the events alone.
    const value = options.csv === true ? page.items : page;
    print(terminal, options, { value, columns: COLUMNS, lines: pageLines(page) });
  });
}

const COLUMNS: readonly string[] = ["accountId", "sequence", "type", "atMs", "cause.by"];

function pageLines({ items, next }: OperatorEvents): readonly string[] {
  const rows = items.map((event) => [
    event.accountId,
    String(event.sequence),
    timeCell(event.atMs),
    event.type,
    event.cause.by,
  ]);
  const columns = ["account", "#", "at", "type", "by"];
  return [
    ...(rows.length === 0 ? ["No events."] : table(columns, rows)),
    "",
    `Next  --after ${next}`,
  ];
}

function addExport(events: Command, terminal: Terminal): void {
  const command = filterOptions(events.command("export"), "All events without it")
    .summary("write events to standard output")
    .description(
      "Write all events up to now to standard output, by account and number. Standard error ends with the place where " +
        "the next file begins: next and a text for --after. Without that line the file is not complete.",
    )
    .addOption(
      new Option("--format <format>", "the format of the file").choices(FORMATS).default("ndjson"),
    );
  command.action(async () => {
    const options = command.optsWithGlobals<ExportOptions>();
    const { format } = options;
    const file = await fetchEventFile(terminal, options, { ...filterOf(options), format });
    const decoder = new TextDecoder();
    for await (const piece of file.content) terminal.out(decoder.decode(piece, { stream: true }));
    terminal.error(`next ${file.next}\n`);
  });
}

function filterOf(options: FilterOptions): OperatorQuery<"events.list"> {
  const { account } = options;
  return {
    after: typed("--after", options.after),
    types: typed("--types", options.types),
    accountId: account === undefined ? "" : typedAccount(account, "--account"),
    programId: typed("--program", options.program),
  };
}

/** The value, or the empty one of a parameter that is not sent; an empty filter would answer with everything. */
function typed(option: string, value: string | undefined): string {
  if (value === "") throw usageError(`${option} is empty`, `Give a value, or leave ${option} out.`);
  return value ?? "";
}
