import { eventCursor, parseEventStreamQuery } from "@propgate/contract";
import type { EventStreamQuery } from "@propgate/sdk";
import type { Command } from "commander";
import { usageError } from "../../cli-error.ts";
import { printableJson } from "../../printable.ts";
import {
  addConnectionOptions,
  type ConnectionOptions,
  readCredentials,
} from "../../profile/connection.ts";
import { timeText } from "../../render/figures.ts";
import type { Terminal } from "../../terminal.ts";
import { openTradingService } from "../../trading/service.ts";
import { detailOf, type Event } from "./event-detail.ts";

interface TailOptions extends ConnectionOptions {
  readonly after?: string;
  readonly types?: string;
  readonly proof?: boolean;
}

/** `propgate events tail`: prints each event as it happens. */
export function addEventsTail(events: Command, terminal: Terminal): void {
  const command = addConnectionOptions(events.command("tail"))
    .summary("follow the events as they happen")
    .description(
      "Print each event as it happens, from now on, until Ctrl-C. A lost connection is opened again at the " +
        "last event. Without --types each event is checked by the hashes of the journal. --json prints one " +
        "event a line.",
    )
    .option(
      "--after <cursor>",
      "begin after this cursor or sequence; 0 begins with the first event",
    )
    .option("--types <types>", "only these types, such as order.filled,order.cancelled")
    .option("--proof", "with --json, include the line of the journal and its hash with each event");
  command.action(async () => {
    const options = command.optsWithGlobals<TailOptions>();
    const query = readQuery(options);
    const service = openTradingService(await readCredentials(terminal, options), () =>
      terminal.now(),
    );
    // The head is read with `--after` too, so that a wrong address or key ends the command here with an error.
    const { head } = await service.events(HEAD_QUERY);
    const after = options.after ?? eventCursor(head.sequence, head.hash);
    const stop = new AbortController();
    void terminal.untilStopped().then(() => stop.abort());
    for await (const event of service.eventStream({ ...query, after }, stop)) {
      terminal.out(`${options.json === true ? printableJson(event) : lineOf(event)}\n`);
    }
  });
}

/** The query that reads the head of the journal. */
export const HEAD_QUERY = {
  after: { sequence: 0, hash: null },
  limit: 1,
  types: null,
  waitMs: 0,
  hasProof: false,
} as const;

function readQuery({ csv, json, after, types, proof }: TailOptions): EventStreamQuery {
  if (csv === true) throw usageError("events tail has no --csv; use --json");
  if (proof === true && json !== true) throw usageError("--proof requires --json");
  const given = { after, types, proof: proof === true ? "1" : undefined };
  const entries = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value]] as const],
  );
  const query = parseEventStreamQuery(new Map(entries));
  if (!query.ok) {
    throw usageError(query.message.replace(/^'(\w+)'/, (_, name: string) => `--${name}`));
  }
  return {
    ...(query.types === null ? {} : { types: [...query.types] }),
    ...(query.hasProof ? { proof: true } : {}),
  };
}

function lineOf(event: Event): string {
  const { sequence, atMs, type, cause } = event;
  return `${sequence}  ${timeText(atMs)}  ${type}  ${cause.by}  ${detailOf(event)}`.trimEnd();
}
