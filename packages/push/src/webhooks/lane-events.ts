import { wireJson } from "@propgate/base";
import { type AccountEvent, isEventType, type Linked } from "@propgate/contract";
import { type AccountId, type ChainedLine, parseLineEvent } from "@propgate/core";
import { type EventLines, eventTypeOf, type ProgramChange, readEventPage } from "@propgate/ledger";
import { coreEventTypesOf, eventSentence, eventView } from "@propgate/wire";
import type { StoredEndpoint } from "../storage/endpoint-store.ts";
import type { AccountLane } from "../storage/lane-store.ts";
import type { Sendable } from "./sentence-body.ts";

/** An event in the form in which a webhook sends it, with its account and the number of the lane's previous event. */
export interface WebhookEvent extends Sendable {
  readonly event: AccountEvent<Linked>;
}

/** The next event or alert of a lane, or the number up to which there is none. */
export type NextInLane =
  | (Sendable & {
      readonly sequence: number;
      /** The hash of the event's line; null for an alert. */
      readonly hash: Uint8Array | null;
      /** The number of the lane's previous event or alert; null when this is the first one. */
      readonly previous: number | null;
    })
  /** The lane has no event or alert to send up to this number, itself included. */
  | { readonly event: null; readonly sequence: number };

/** Selects the lines of journals that an endpoint gets. */
export interface LaneFilter {
  /** The names of event types in the core; null for all types. */
  readonly types: ReadonlySet<string> | null;
  /** The program that the account is on after the line; null for every program. */
  readonly programId: string | null;
}

/** The filter of an endpoint, with the event types in the core's names. */
export function laneFilter({ types, programId }: StoredEndpoint): LaneFilter {
  return {
    types: types === null ? null : coreEventTypesOf(new Set(types.filter(isEventType))),
    programId,
  };
}

/** The maximum number of lines that one statement reads in the search for the previous event. */
const LINES_BACK = 200;

/**
 * Finds the next event of an account's lane. When there is none, it returns the sequence up to which there is none.
 * With a `programId`, events after which the account is not on that program are skipped.
 * @rule D9.webhookProgram decides
 */
export async function findNextEvent(
  lines: EventLines,
  lane: AccountLane,
  filter: LaneFilter,
): Promise<NextInLane> {
  const { types, programId } = filter;
  for (let sequence = lane.deliveredSequence; ; ) {
    const after = { sequence, hash: null };
    const read = await readEventPage(lines, lane.accountId, { after, limit: 1, types });
    // A failover of the database has lost the last line that the lane has delivered. The next read of the lane gets its
    // present row.
    if (!read.ok) return { event: null, sequence: lane.deliveredSequence };
    const [line] = read.lines;
    if (line === undefined) return { event: null, sequence: read.next.sequence };
    // The program changes are read after the lines, so that every change up to `read.head` is known.
    const begins = await firstSequenceOnProgram(lines, lane.accountId, {
      programId,
      from: line.seq,
    });
    if (begins === null) return { event: null, sequence: read.head.sequence };
    if (begins > line.seq) {
      sequence = begins - 1;
      continue;
    }
    const previous = lane.isPreviousKnown
      ? lane.previousSequence
      : await lookUpPrevious(lines, lane, filter);
    const { seq, hash } = line;
    return { ...webhookEvent(line, lane, previous), sequence: seq, hash, previous };
  }
}

/**
 * The first sequence, `from` or later, at which the account is on the program after the line; null when there is none
 * yet. Without a program it is `from`.
 */
async function firstSequenceOnProgram(
  lines: EventLines,
  account: AccountId,
  { programId, from }: { readonly programId: string | null; readonly from: number },
): Promise<number | null> {
  if (programId === null) return from;
  const changes = await lines.programs(account);
  if (programAt(changes, from) === programId) return from;
  const later = changes.find((one) => one.sequence > from && one.programId === programId);
  return later?.sequence ?? null;
}

/** The program that the account is on after a line; undefined before its first program. */
function programAt(changes: readonly ProgramChange[], sequence: number): string | undefined {
  return changes.findLast((one) => one.sequence <= sequence)?.programId;
}

/**
 * One event of an account in the form in which a webhook sends it, outside the lanes; null when there is none or the
 * endpoint does not get it.
 */
export async function findEvent(
  lines: EventLines,
  at: { readonly lane: AccountLane; readonly sequence: number },
  filter: LaneFilter,
): Promise<WebhookEvent | null> {
  const { lane, sequence } = at;
  const page = await lines.page(lane.accountId, { from: sequence, limit: 1 });
  const line = page?.lines[0];
  if (line === undefined || !(await createLineTest(lines, lane.accountId, filter))(line))
    return null;
  const before = { ...lane, deliveredSequence: sequence - 1 };
  const previous = await lookUpPrevious(lines, before, filter);
  return webhookEvent(line, lane, previous);
}

function webhookEvent(line: ChainedLine, lane: AccountLane, previous: number | null): WebhookEvent {
  const event = eventView(line, false);
  return {
    event,
    body: webhookBody(event, { ...lane, previous }),
    sentence: (instruments) => eventSentence(parseLineEvent(line.event), instruments),
    account: lane.externalId ?? lane.accountId,
  };
}

/**
 * The sequence of the last event up to `deliveredSequence` that the lane's endpoint gets; null when there is none since
 * the lane's beginning.
 */
async function lookUpPrevious(
  lines: EventLines,
  { accountId, beginsSequence, deliveredSequence }: AccountLane,
  filter: LaneFilter,
): Promise<number | null> {
  if (deliveredSequence < beginsSequence) return null;
  if (filter.types === null && filter.programId === null) return deliveredSequence;
  const isPassing = await createLineTest(lines, accountId, filter);
  for (let last = deliveredSequence; last >= beginsSequence; last -= LINES_BACK) {
    const from = Math.max(beginsSequence, last - LINES_BACK + 1);
    const page = await lines.page(accountId, { from, limit: last - from + 1 });
    const found = page?.lines.findLast(isPassing);
    if (found !== undefined) return found.seq;
  }
  return null;
}

/**
 * Makes a function that tests whether the filter lets a line through. It knows the account's programs up to this call,
 * so it is right only for lines that were written earlier.
 */
async function createLineTest(
  lines: EventLines,
  account: AccountId,
  { types, programId }: LaneFilter,
): Promise<(line: ChainedLine) => boolean> {
  const changes = programId === null ? [] : await lines.programs(account);
  return (line) =>
    (types === null || types.has(eventTypeOf(line))) &&
    (programId === null || programAt(changes, line.seq) === programId);
}

/**
 * The body of a delivery, as JSON. `previous` is the number of the lane's previous event; null for the lane's first
 * one.
 */
export function webhookBody(
  event: Pick<AccountEvent<Linked>, "type" | "atMs">,
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
