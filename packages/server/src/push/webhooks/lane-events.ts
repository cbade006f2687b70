import type { AccountEvent } from "@propgate/contract";
import type { ChainedLine } from "@propgate/core";
import { eventView } from "../../api/views/events/event-view.ts";
import type { EventLines } from "../../storage/journal/event-lines.ts";
import type { AccountLane } from "../../storage/stores/webhooks/lane-store.ts";

/** An event with its account and the event before it in the lane, as a webhook carries it. */
export interface WebhookEvent {
  readonly event: AccountEvent;
  /** The same bytes at every attempt. */
  readonly body: string;
}

/** The next event of a lane. */
export type NextInLane =
  | (WebhookEvent & {
      readonly sequence: number;
      /** Null when the lane has sent none. */
      readonly previous: number | null;
    })
  /** Nothing more up to this event. */
  | { readonly event: null; readonly sequence: number };

/** Lines of one statement. */
const SCAN_LINES = 200;
/** A lane for a rare type gives its place to others after so many statements. */
const SCANS_MAX = 25;

/** Finds the next event of a lane that the endpoint's types let through; null for an account without a journal. */
export async function nextInLane(
  lines: EventLines,
  lane: AccountLane,
  types: ReadonlySet<string> | null,
): Promise<NextInLane | null> {
  let after = lane.deliveredSequence;
  for (let scans = 0; scans < SCANS_MAX; scans += 1) {
    const page = await lines.page(lane.accountId, { from: after + 1, limit: SCAN_LINES });
    if (page === null) return null;
    for (const line of page.lines) {
      const event = eventView(line, false);
      if (types !== null && !types.has(event.type)) continue;
      const previous = lane.isPreviousKnown
        ? lane.previousSequence
        : await lookUpPrevious(lines, lane, types);
      const body = bodyOf(event, line, { lane, previous });
      return { event, body, sequence: line.seq, previous };
    }
    after = page.lines.at(-1)?.seq ?? after;
    if (page.lines.length < SCAN_LINES) break;
  }
  return { event: null, sequence: after };
}

/** One event of an account as a webhook carries it, outside the lanes; null when the endpoint's types leave it out. */
export async function oneEvent(
  lines: EventLines,
  at: { readonly lane: AccountLane; readonly sequence: number },
  types: ReadonlySet<string> | null,
): Promise<WebhookEvent | null> {
  const { lane, sequence } = at;
  const page = await lines.page(lane.accountId, { from: sequence, limit: 1 });
  const line = page?.lines[0];
  if (line === undefined) return null;
  const event = eventView(line, false);
  if (types !== null && !types.has(event.type)) return null;
  const before = { ...lane, deliveredSequence: sequence - 1 };
  const previous = await lookUpPrevious(lines, before, types);
  return { event, body: bodyOf(event, line, { lane, previous }) };
}

/** The last event of the lane before the next one; null when it lies before the lane's beginning. */
async function lookUpPrevious(
  lines: EventLines,
  { accountId, beginsSequence, deliveredSequence }: AccountLane,
  types: ReadonlySet<string> | null,
): Promise<number | null> {
  for (let last = deliveredSequence; last >= beginsSequence; last -= SCAN_LINES) {
    if (types === null) return last;
    const from = Math.max(beginsSequence, last - SCAN_LINES + 1);
    const page = await lines.page(accountId, { from, limit: last - from + 1 });
    const found = page?.lines.findLast((line) => types.has(eventView(line, false).type));
    if (found !== undefined) return found.seq;
  }
  return null;
}

function bodyOf(
  event: AccountEvent,
  line: ChainedLine,
  { lane, previous }: { readonly lane: AccountLane; readonly previous: number | null },
): string {
  const { accountId, ownerId } = lane;
  return JSON.stringify({
    type: event.type,
    timestamp: new Date(line.atMs).toISOString(),
    data: { ...event, accountId, ownerId, externalId: null, previous },
  });
}
