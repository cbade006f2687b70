import { type EventsPage, parseEventsQuery } from "@propgate/contract";
import type { EventDesk } from "../../../trading/events/event-desk.ts";
import { cursorProblemText, placeCursor } from "../../event-cursors.ts";
import { eventView } from "../../views/events/event-view.ts";
import { coreTypesOf } from "../../wire.ts";
import { answered, type Handler, rejected } from "../handler.ts";

/** GET events: what happened on the account, in order. @rule D9.events D9.cursor D9.wait D9.proof */
export const getEvents =
  ({ events }: { readonly events: EventDesk }): Handler =>
  async ({ accountId, query, untilOver }) => {
    const parsed = parseEventsQuery(query);
    if (!parsed.ok) return rejected("invalidEvents", parsed.message);
    const { after, limit, waitMs, hasProof } = parsed;
    const types = parsed.types === null ? null : coreTypesOf(parsed.types);
    const read = await events.read(accountId, { after, limit, types, waitMs }, untilOver);
    if (!read.ok) return rejected("invalidEvents", cursorProblemText(read.problem));
    const page: EventsPage = {
      items: read.lines.map((line) => eventView(line, hasProof)),
      next: placeCursor(read.next),
      head: { sequence: read.head.sequence, hash: Buffer.from(read.head.hash).toString("hex") },
    };
    return answered(page);
  };
