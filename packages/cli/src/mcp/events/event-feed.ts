import { type AccountEvent, LIMITS, type Linked } from "@propgate/contract";
import {
  type Client,
  DEFAULT_RETRY,
  type EventsPage,
  PropgateError,
  RejectedError,
  UnexpectedAnswerError,
} from "@propgate/sdk";
import { eventError } from "./event-errors.ts";
import { type EventStart, sequenceOf } from "./event-start.ts";
import { type EventSelection, isSelected } from "./event-types.ts";

/**
 * One step of a follower: an event that it selects, with its cursor. With `event` null, all selected events up to the
 * cursor have been delivered.
 */
export interface FeedStep {
  readonly event: AccountEvent<Linked> | null;
  readonly cursor: string;
}

/** The events of the account for all subscriptions of the process. They share one stream of the key. */
export interface EventFeed {
  /**
   * The selected events after the start, in order, until the signal aborts. Throws an error that no retry can repair,
   * such as the end of the account.
   */
  follow(start: EventStart, wanted: EventSelection, signal: AbortSignal): AsyncGenerator<FeedStep>;
  /** Ends every iteration of `follow`. */
  close(): void;
}

/** How many events are kept for followers. A follower that is further behind reads pages, so no queue grows for it. */
const RECENT_EVENTS_MAX = LIMITS.eventsLimitMax;
const RETRY_MS = 1_000;
/**
 * When the stream brings neither an event nor a mark for this time, it counts as not open, for instance because the key
 * has too many streams. The followers then read pages instead. A mark is a frame that says that the stream has sent all
 * events so far.
 */
const SILENCE_MAX_MS = 2 * LIMITS.streamMarkMs;

/** The shared stream, while it has followers. */
interface SharedStream {
  /** The newest events without gaps, the newest last. */
  readonly recent: AccountEvent<Linked>[];
  /** The number of the journal line before the first event of `recent`. */
  beforeSequence: number;
  marks: number;
  /**
   * Null while the stream runs. Afterwards `error` is the error that ended it, or null when the account has no further
   * events.
   */
  end: { readonly error: unknown } | null;
  followers: number;
  readonly stop: AbortController;
  /** Functions that are called once at the next change of the stream. */
  readonly waiting: Set<() => void>;
}

/** Creates the feed of one account. Its stream is opened for the first follower and ends with the last one. */
export function createEventFeed(client: Client<Linked>): EventFeed {
  const closed = new AbortController();
  let live: SharedStream | null = null;
  const join = (head: string): SharedStream => {
    if (live === null || live.end !== null) live = openSharedStream(client, head);
    live.followers += 1;
    return live;
  };
  const leave = (left: SharedStream): void => {
    left.followers -= 1;
    if (left.followers > 0) return;
    left.stop.abort();
    if (live === left) live = null;
  };
  return {
    async *follow(start, wanted, signal) {
      const joined = join(start.head);
      const ended = AbortSignal.any([signal, closed.signal]);
      const wakeAll = (): void => wakeFollowers(joined);
      ended.addEventListener("abort", wakeAll);
      try {
        for await (const step of stepsOf(client, joined, { start, wanted, ended })) {
          if (ended.aborted) return;
          if (step.event === null || step.event.atMs >= start.fromMs) yield step;
        }
      } finally {
        ended.removeEventListener("abort", wakeAll);
        leave(joined);
      }
    },
    close: () => closed.abort(),
  };
}

/** Opens the stream after the head. The client checks the chain of events, so no event is left out. */
function openSharedStream(client: Client<Linked>, head: string): SharedStream {
  const live: SharedStream = {
    recent: [],
    beforeSequence: sequenceOf(head),
    marks: 0,
    end: null,
    followers: 0,
    stop: new AbortController(),
    waiting: new Set(),
  };
  const onMark = (): void => {
    live.marks += 1;
    wakeFollowers(live);
  };
  const run = async (): Promise<void> => {
    const { signal } = live.stop;
    for await (const event of client.events({ after: head }, { signal, onMark })) {
      live.recent.push(event);
      if (live.recent.length > RECENT_EVENTS_MAX) {
        live.beforeSequence = live.recent.shift()?.sequence ?? live.beforeSequence;
      }
      wakeFollowers(live);
    }
  };
  const endWith = (error: unknown): void => {
    live.end = { error };
    wakeFollowers(live);
  };
  run().then(() => endWith(null), endWith);
  return live;
}

interface Following {
  readonly start: EventStart;
  readonly wanted: EventSelection;
  readonly ended: AbortSignal;
}

/** How far a follower has come in the stream. */
interface FollowerPosition {
  cursor: string;
  marks: number;
}

async function* stepsOf(
  client: Client<Linked>,
  live: SharedStream,
  { start, wanted, ended }: Following,
): AsyncGenerator<FeedStep> {
  const place: FollowerPosition = { cursor: start.cursor, marks: live.marks };
  while (!ended.aborted) {
    const isBehind = sequenceOf(place.cursor) < live.beforeSequence;
    if (isBehind || (await waitTimesOut(live, place))) {
      yield* pageSteps(client, place, { wanted, ended });
    } else yield* liveSteps(live, place, wanted);
  }
}

function* liveSteps(
  live: SharedStream,
  place: FollowerPosition,
  wanted: EventSelection,
): Generator<FeedStep> {
  for (
    let event = nextEventAfter(live, place);
    event !== undefined;
    event = nextEventAfter(live, place)
  ) {
    place.cursor = event.cursor;
    if (isSelected(event, wanted)) yield { event, cursor: event.cursor };
  }
  if (live.marks === place.marks) return;
  place.marks = live.marks;
  yield { event: null, cursor: place.cursor };
}

function nextEventAfter(
  { recent, beforeSequence }: SharedStream,
  { cursor }: FollowerPosition,
): AccountEvent<Linked> | undefined {
  return recent[sequenceOf(cursor) - beforeSequence];
}

/** Waits until the stream brings an event or a mark. True when neither comes within the time limit. */
async function waitTimesOut(live: SharedStream, place: FollowerPosition): Promise<boolean> {
  if (nextEventAfter(live, place) !== undefined || live.marks !== place.marks) return false;
  if (live.end !== null) {
    throw live.end.error ?? eventError("Forbidden", "the account is closed");
  }
  const changed = new AbortController();
  const resume = (): void => changed.abort();
  live.waiting.add(resume);
  await DEFAULT_RETRY.wait(SILENCE_MAX_MS, changed.signal);
  live.waiting.delete(resume);
  return !changed.signal.aborted;
}

async function* pageSteps(
  client: Client<Linked>,
  place: FollowerPosition,
  { wanted, ended }: Pick<Following, "wanted" | "ended">,
): AsyncGenerator<FeedStep> {
  const page = await nextPage(client, { after: place.cursor, wanted, ended });
  if (page === null) return;
  for (const event of page.items) {
    if (isSelected(event, wanted)) yield { event, cursor: event.cursor };
  }
  place.cursor = page.next;
  yield { event: null, cursor: page.next };
}

/**
 * Repeats the read until the service answers; null when the signal aborts. Throws an error that no retry can repair.
 */
async function nextPage(
  client: Client<Linked>,
  {
    after,
    wanted: { types },
    ended,
  }: { readonly after: string; readonly wanted: EventSelection; readonly ended: AbortSignal },
): Promise<EventsPage<Linked> | null> {
  while (!ended.aborted) {
    try {
      return await client.eventsPage({ after, types }, { signal: ended });
    } catch (error) {
      if (ended.aborted) break;
      await DEFAULT_RETRY.wait(retryDelayMs(error), ended);
    }
  }
  return null;
}

/**
 * The milliseconds to wait before a retry after an error that may pass: the service's `Retry-After`, and at least
 * `RETRY_MS`. Throws every other error.
 */
function retryDelayMs(error: unknown): number {
  if (error instanceof RejectedError && (error.isTemporary || error.status >= 500)) {
    return Math.max(RETRY_MS, error.rejection.retryAfterMs ?? 0);
  }
  if (error instanceof UnexpectedAnswerError && error.isTemporary) {
    return Math.max(RETRY_MS, error.retryAfterMs ?? 0);
  }
  if (error instanceof PropgateError && error.code === "unreachable") return RETRY_MS;
  throw error;
}

function wakeFollowers({ waiting }: SharedStream): void {
  const woken = [...waiting];
  waiting.clear();
  for (const resume of woken) resume();
}
