import {
  type EventsPage,
  type EventsRequest,
  eventCursor,
  LIMITS,
  type Linked,
  parseEventsQuery,
} from "@propgate/contract";
import type { Command } from "commander";
import { usageError } from "../../cli-error.ts";
import { printResult, tableLines } from "../../output.ts";
import { addConnectionOptions, type ConnectionOptions } from "../../profile/connection.ts";
import { timeText } from "../../render/figures.ts";
import type { Terminal } from "../../terminal.ts";
import { detailOf } from "./event-detail.ts";
import { addEventsForward } from "./events-forward.ts";
import { addEventsTail } from "./events-tail.ts";
import { addEventsVerify } from "./events-verify.ts";
import { runRead } from "./read-command.ts";

interface EventsOptions extends ConnectionOptions {
  readonly after?: string;
  readonly limit: string;
  readonly types?: string;
  readonly wait?: string;
  readonly proof?: boolean;
}

/** `propgate events`: prints what happened on the account, in order, or as it happens. */
export function addEvents(program: Command, terminal: Terminal): void {
  const events = program
    .command("events")
    .summary("read what happened on the account, in order")
    .description("Read the account's events: numbered from 1 without gaps, each with its cause.");
  const command = addConnectionOptions(events.command("list"))
    .summary("list a page of events, oldest first")
    .description(
      "List a page of events, oldest first, and the cursor of the next page. --json prints the whole answer.",
    )
    .option(
      "--after <cursor>",
      "only events after this cursor or sequence; from the first without it",
    )
    .option("--limit <n>", `number of events, 1 to ${LIMITS.eventsLimitMax}`, "50")
    .option("--types <types>", "only these types, such as order.filled,order.cancelled")
    .option("--wait <seconds>", `wait for an event, up to ${LIMITS.eventsWaitSecondsMax} seconds`)
    .option("--proof", "include the line of the journal and its hash with each event");
  command.action(async () => {
    const options = command.optsWithGlobals<EventsOptions>();
    const request = readRequest(options);
    await runRead(terminal, options, async (service) => {
      const page = await service.events(request);
      // CSV contains the events only, without the cursor of the next page.
      const value = options.csv === true ? page.items : page;
      printResult(terminal, options, { value, columns: COLUMNS, lines: pageLines(page) });
    });
  });
  addEventsTail(events, terminal);
  addEventsVerify(events, terminal);
  addEventsForward(events, terminal);
}

const COLUMNS: readonly string[] = ["sequence", "type", "atMs", "cause.by", "cursor"];

function readRequest({ after, limit, types, wait, proof }: EventsOptions): EventsRequest {
  const given = { after, limit, types, wait, proof: proof === true ? "1" : undefined };
  const entries = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value]] as const],
  );
  const query = parseEventsQuery(new Map(entries));
  if (query.ok) return query;
  throw usageError(query.message.replace(/^'(\w+)'/, (_, name: string) => `--${name}`));
}

function pageLines({ items, next, head }: EventsPage<Linked>): readonly string[] {
  const isEnd = next === eventCursor(head.sequence, head.hash);
  const rows = items.map((event) => [
    String(event.sequence),
    timeText(event.atMs),
    event.type,
    event.cause.by,
    detailOf(event),
  ]);
  return [
    ...(rows.length === 0 ? ["No events."] : tableLines(["#", "at", "type", "by", "what"], rows)),
    "",
    isEnd ? `The newest event is ${head.sequence}.` : `${head.sequence} events in all.`,
    `Next  --after ${next}`,
  ];
}
