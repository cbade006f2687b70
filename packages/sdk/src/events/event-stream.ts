import {
  ADDITIVE_ENDPOINTS,
  END_FRAME,
  type EventType,
  type Linked,
  MARK_FRAME,
  QUOTE_FRAME,
  type StreamEnd,
} from "@propgate/contract";
import { monotonicNow } from "../clock.ts";
import type { AccountEvent, EventsPage } from "../described/events.ts";
import type { QuoteItem } from "../described/market-items.ts";
import type { StreamMark } from "../described/stream-mark.ts";
import {
  AbortedError,
  HistoryDiffersError,
  PropgateError,
  RejectedError,
  UnexpectedAnswerError,
} from "../errors.ts";
import { queryString } from "../query-string.ts";
import { pause, type RetryPlan } from "../retry.ts";
import type { Connection } from "../send.ts";
import { type Chain, createChain } from "./chain.ts";
import type { Frame } from "./frames.ts";
import { openStream } from "./open-stream.ts";

/** The events and quotes that a stream sends. */
export interface EventStreamQuery {
  /**
   * The position after which the events begin: the `cursor` of an event or a mark, or a sequence. They begin with the
   * first event when it is absent.
   */
  readonly after?: string | number;
  /** The types of the events that are sent: none for an empty list, all when absent. */
  readonly types?: readonly EventType[];
  /** When true, each event keeps the line of the journal and its hash; not with `types`. */
  readonly proof?: boolean;
  /** Pairs whose quotes the stream sends too, at most 60. `onQuote` receives them. */
  readonly quotes?: readonly string[];
  /** Seconds in which each pair has at most one quote, from 0.25 to 60; 1 when absent. */
  readonly every?: number;
}

/** When a stream ends, and the functions that get its quotes and marks. */
export interface EventStreamOptions {
  /** Ends the iteration when it aborts. */
  readonly signal?: AbortSignal;
  /** The time limit until the service begins its answer, in milliseconds; the client's `timeoutMs` when absent. */
  readonly timeoutMs?: number;
  /** With `head`, the iteration ends after the newest event instead of waiting for the next one. */
  readonly until?: "head";
  readonly onQuote?: (quote: QuoteItem) => void;
  /** Called with a mark when the iteration has returned all selected events up to the mark's cursor. */
  readonly onMark?: (mark: StreamMark) => void;
}

/** Yields the events in order and each once, also when connections are lost. */
export interface EventStream<Unsent extends Linked = never>
  extends AsyncIterable<AccountEvent<Unsent>> {
  /**
   * True when each event is checked by the hash chain of the journal. That needs every event, so it is false with
   * `types`.
   */
  readonly verified: boolean;
}

/** The parts of a client that a stream needs. */
export interface StreamSource {
  readonly connection: Connection;
  readonly plan: RetryPlan;
  /** Reads one page of events. */
  readonly page: (query: {
    readonly after: number;
    readonly limit: number;
    readonly proof: boolean;
  }) => Promise<EventsPage<Linked>>;
}

/** An iterable of the events after `query.after`. Each iteration opens its own connections. @rule D9.stream D9.proof */
export function eventStream<Unsent extends Linked = never>(
  source: StreamSource,
  query: EventStreamQuery,
  options: EventStreamOptions,
): EventStream<Unsent> {
  const verified = query.types === undefined;
  return {
    verified,
    [Symbol.asyncIterator]: () => follow<Unsent>(source, { query, options, verified }),
  };
}

interface Following {
  readonly query: EventStreamQuery;
  readonly options: EventStreamOptions;
  readonly verified: boolean;
}

/** The progress of one iteration over the stream. */
interface Progress {
  after: string | number;
  /** The hash chain at `after`. Null when events are not verified, and until the hash at `after` is known. */
  chain: Chain | null;
  lastSequence: number;
  isOver: boolean;
}

/** Opens one connection after the other. Each begins after the last event or mark of the previous connection. */
async function* follow<Unsent extends Linked>(
  source: StreamSource,
  following: Following,
): AsyncGenerator<AccountEvent<Unsent>, void, undefined> {
  const { plan } = source;
  const after = following.query.after ?? 0;
  const progress: Progress = {
    after,
    chain: null,
    lastSequence: sequenceOf(after),
    isOver: false,
  };
  for (let failures = 0; !progress.isOver; ) {
    const [beganAtMs, before] = [monotonicNow(), progress.after];
    let retryAfterMs: number | null = null;
    try {
      yield* readConnection<Unsent>(source, following, progress);
    } catch (error) {
      if (error instanceof AbortedError) return;
      retryAfterMs = retryAfterOf(error);
    }
    // After a connection that received an event or a mark, or that lasted long, the next wait is the shortest again.
    const wasOfUse = progress.after !== before || monotonicNow() - beganAtMs > plan.longestWaitMs;
    failures = wasOfUse ? 0 : failures + 1;
    if (!progress.isOver && !(await waitToReconnect(source, failures, retryAfterMs))) return;
  }
}

async function* readConnection<Unsent extends Linked>(
  source: StreamSource,
  following: Following,
  progress: Progress,
): AsyncGenerator<AccountEvent<Unsent>, void, undefined> {
  if (following.verified) progress.chain ??= await chainAt(source, progress.after);
  const target = targetOf(following, progress.after);
  for await (const frame of openStream(source.connection, target)) {
    // Frames arrive several at a time, and the reader may have aborted the signal at one of them.
    if (source.connection.signal?.aborted === true) return;
    const event = await processFrame<Unsent>(frame, following, progress);
    if (event !== null) yield event;
    if (progress.isOver) return;
  }
}

/** Waits before the next connection. False when the signal aborts. */
async function waitToReconnect(
  { plan, connection }: StreamSource,
  failures: number,
  retryAfterMs: number | null,
): Promise<boolean> {
  const backoffMs = Math.min(plan.firstWaitMs * 2 ** failures, plan.longestWaitMs);
  try {
    await pause(plan, Math.max(backoffMs, retryAfterMs ?? 0), connection.signal);
    return true;
  } catch (error) {
    if (error instanceof AbortedError) return false;
    throw error;
  }
}

/**
 * The event of a frame, after the event was checked. Null for a mark, a quote or an end, which this function handles
 * itself.
 */
async function processFrame<Unsent extends Linked>(
  { id, event: name, data }: Frame,
  { query, options }: Following,
  progress: Progress,
): Promise<AccountEvent<Unsent> | null> {
  if (id !== null) {
    const event = JSON.parse(data) as AccountEvent<Unsent>;
    if (progress.chain !== null) await progress.chain.add(event);
    else if (event.sequence <= progress.lastSequence) {
      throw new HistoryDiffersError(`event ${event.sequence} after ${progress.lastSequence}`);
    }
    progress.after = event.cursor;
    progress.lastSequence = event.sequence;
    if (query.proof === true) return event;
    const { proof: _proof, ...shown } = event;
    return shown as AccountEvent<Unsent>;
  }
  if (name === MARK_FRAME) {
    const mark = JSON.parse(data) as StreamMark;
    progress.chain?.mark(mark.cursor);
    progress.after = mark.cursor;
    progress.isOver = mark.live && options.until === "head";
    options.onMark?.(mark);
  } else if (name === QUOTE_FRAME) options.onQuote?.(JSON.parse(data) as QuoteItem);
  else if (name === END_FRAME) {
    // Other reasons for the end need no action here, because the answer to the next request shows them.
    progress.isOver = (JSON.parse(data) as StreamEnd).reason === "accountClosed";
  }
  return null;
}

/**
 * The hash chain at this cursor or sequence. It reads the event there, because the chain needs the whole hash and a
 * cursor has only half of it. Null when there is no event with this sequence.
 */
async function chainAt(source: StreamSource, after: string | number): Promise<Chain | null> {
  const sequence = sequenceOf(after);
  if (sequence === 0) return createChain(0, null);
  const { items } = await source.page({ after: sequence - 1, limit: 1, proof: true });
  const [item] = items;
  // If there is no event with this sequence, the service itself rejects the cursor when the stream is opened.
  if (item?.proof === undefined) return null;
  const isSame = typeof after === "number" || !after.includes("-") || item.cursor === after;
  if (!isSame) throw new HistoryDiffersError(`event ${sequence} is another one`);
  return createChain(sequence, item.proof.hash);
}

/** The number of the journal line that a cursor or a sequence names. */
export function sequenceOf(after: string | number): number {
  return Number(String(after).split("-")[0]);
}

function targetOf({ query, verified }: Following, after: string | number): string {
  const { types, quotes, every } = query;
  const given = {
    after,
    types: types?.length === 0 ? "none" : types?.join(","),
    proof: verified ? 1 : undefined,
    quotes: quotes?.join(","),
    every,
  };
  return ADDITIVE_ENDPOINTS.getEventStream.path + queryString(given);
}

/**
 * Returns the `Retry-After` in milliseconds of an error after which a new connection may succeed; null when the error
 * has no `Retry-After`. Throws any other error.
 */
function retryAfterOf(error: unknown): number | null {
  if (error instanceof RejectedError) {
    const { status, retryAfterMs } = error.rejection;
    // A 409 means that a proxy has sent the same request twice.
    if (status >= 500 || status === 409 || status === 429) return retryAfterMs;
    throw asHistoryError(error);
  }
  if (error instanceof UnexpectedAnswerError && (error.status >= 500 || error.isTemporary)) {
    return error.retryAfterMs;
  }
  if (error instanceof PropgateError && error.code === "unreachable") return null;
  throw error;
}

/**
 * A HistoryDiffersError when the rejection says that the account's history does not contain the cursor; otherwise the
 * error itself.
 */
export function asHistoryError(error: RejectedError): PropgateError {
  const { error: text } = error.rejection;
  const isPast = error.code === "invalidEvents" && /history differs|is ahead of/.test(text);
  return isPast ? new HistoryDiffersError(text, error) : error;
}
