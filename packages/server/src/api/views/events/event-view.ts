import { type AccountEvent, EVENT_CAUSES, eventCursor } from "@propgate/contract";
import { type ChainedLine, type Event, hashedText, parseEvent } from "@propgate/core";
import { ACCOUNT_EVENT_VIEWS } from "./account-event-views.ts";
import { ORDER_EVENT_VIEWS } from "./order-event-views.ts";
import { POSITION_EVENT_VIEWS } from "./position-event-views.ts";
import { SWITCH_EVENT_VIEWS } from "./switch-event-views.ts";
import type { EventView, EventViews } from "./view-of-event.ts";

/** A view for each event of the core; an event without a row does not compile. @rule D9.eventViews */
const VIEWS: EventViews = {
  ...ORDER_EVENT_VIEWS,
  ...POSITION_EVENT_VIEWS,
  ...ACCOUNT_EVENT_VIEWS,
  ...SWITCH_EVENT_VIEWS,
};

/**
 * A line of the journal in wire words, made from the line alone: the same line has the same view in every release.
 * @rule D9.events @rule D9.eventViews D9.proof decides
 */
export function eventView(line: ChainedLine, hasProof: boolean): AccountEvent {
  const hash = Buffer.from(line.hash).toString("hex");
  const { type, data, dueMs } = viewOf(VIEWS, parseEvent(line.event));
  const event = {
    id: `evt_${line.accountId.replaceAll("-", "")}_${line.seq}`,
    sequence: line.seq,
    cursor: eventCursor(line.seq, hash),
    type,
    atMs: line.atMs,
    dueMs,
    cause: causeOf(line),
    data,
    ...(hasProof ? { proof: { line: hashedText(line), hash } } : {}),
  };
  // `type` and `data` are those of one view.
  return event as AccountEvent;
}

function causeOf({ origin, keyId, nonce, command }: ChainedLine): AccountEvent["cause"] {
  // The line of an owner's command names the person: `owner:` and an id.
  const [word = ""] = origin.split(":");
  const by = EVENT_CAUSES.find((one) => one === word);
  if (by === undefined) throw new Error(`broken invariant: a known origin, not ${word}`);
  return { by, keyId, nonce, command };
}

/** The view by the table's row for the event's type. */
function viewOf<Type extends Event["type"]>(
  views: { readonly [Row in Type]: (event: Extract<Event, { type: Row }>) => EventView },
  event: Extract<Event, { type: Type }>,
): EventView {
  return views[event.type](event);
}
