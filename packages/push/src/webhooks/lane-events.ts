import { wireJson } from "@propgate/base";
import type { AccountEvent } from "@propgate/contract";
import { type ChainedLine, type Instruments, parseEvent } from "@propgate/core";
import { type AccountLane, type EventLines, readPage, typeOf } from "@propgate/ledger";
import { eventSentence, eventView } from "@propgate/wire";

/** An event with its account and the event before it in the lane, as a webhook carries it. */
export interface WebhookEvent {
  readonly event: AccountEvent;
  /** The same bytes at every attempt. */
  readonly body: string;
  readonly sentence: (instruments: Instruments) => string;
  /** The account as people outside know it. */
  readonly account: string;
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

/** Lines of one statement that looks back. */
const LINES_BACK = 200;

/** Finds the next event of a lane among these events of the core; null stands for all. */
export async function nextInLane(
  lines: EventLines,
  lane: AccountLane,
  types: ReadonlySet<string> | null,
): Promise<NextInLane> {
  const after = { sequence: lane.deliveredSequence, hash: null };
  const read = await readPage(lines, lane.accountId, { after, limit: 1, types });
  if (!read.ok) throw new Error("broken invariant: a lane is not ahead of its journal");
  const [line] = read.lines;
  if (line === undefined) return { event: null, sequence: read.next.sequence };
  const previous = lane.isPreviousKnown
    ? lane.previousSequence
    : await lookUpPrevious(lines, lane, types);
  return { ...webhookEvent(line, lane, previous), sequence: line.seq, previous };
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
  if (line === undefined || (types !== null && !types.has(typeOf(line)))) return null;
  const before = { ...lane, deliveredSequence: sequence - 1 };
  const previous = await lookUpPrevious(lines, before, types);
  return webhookEvent(line, lane, previous);
}

function webhookEvent(line: ChainedLine, lane: AccountLane, previous: number | null): WebhookEvent {
  const event = eventView(line, false);
  return {
    event,
    body: webhookBody(event, { ...lane, previous }),
    sentence: (instruments) => eventSentence(parseEvent(line.event), instruments),
    account: lane.externalId ?? lane.accountId,
  };
}

/** The last event of the lane before the next one; null when it lies before the lane's beginning. */
async function lookUpPrevious(
  lines: EventLines,
  { accountId, beginsSequence, deliveredSequence }: AccountLane,
  types: ReadonlySet<string> | null,
): Promise<number | null> {
  for (let last = deliveredSequence; last >= beginsSequence; last -= LINES_BACK) {
    if (types === null) return last;
    const from = Math.max(beginsSequence, last - LINES_BACK + 1);
    const page = await lines.page(accountId, { from, limit: last - from + 1 });
    const found = page?.lines.findLast((line) => types.has(typeOf(line)));
    if (found !== undefined) return found.seq;
  }
  return null;
}

/** The body of a delivery. `previous`: the number of the lane's event before it; null for its first. */
export function webhookBody(
  event: Pick<AccountEvent, "type" | "atMs">,
  {
    accountId,
    ownerId,
    externalId,
    previous,
  }: {
    readonly accountId: string;
    readonly ownerId: string | null;
    readonly externalId: string | null;
    readonly previous: number | null;
  },
): string {
  return wireJson({
    type: event.type,
    timestamp: new Date(event.atMs).toISOString(),
    data: { ...event, accountId, ownerId, externalId, previous },
  });
}
