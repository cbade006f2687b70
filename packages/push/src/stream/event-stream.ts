import type { Clock } from "@propgate/base";
import type { QuoteItem, StreamEndReason } from "@propgate/contract";
import { type EventDesk, type EventPageResult, eventTypeOf, type LineRef } from "@propgate/ledger";
import { cursorOfPlace, type ExpensiveReads, type StreamRequest } from "@propgate/wire";
import type { StreamAlarms } from "./stream-alarms.ts";
import { endFrame, eventFrame, markFrame, quoteFrame } from "./stream-frames.ts";

/** The request for a stream, with the sources from which the stream reads. */
export interface StreamWork {
  readonly request: StreamRequest;
  /** The journal line after which the events of the stream begin. */
  readonly from: LineRef;
  readonly events: Pick<EventDesk, "page">;
  readonly reads: Pick<ExpensiveReads, "beginInStream">;
  readonly clock: Clock;
  readonly alarms: StreamAlarms;
  /** Returns the quotes that have changed since the previous call. */
  readonly changedQuotes: () => readonly QuoteItem[];
}

/** How far a stream has sent and read the events of its account. */
interface StreamProgress {
  /** Every matching event up to this journal line has been sent. */
  place: LineRef;
  /** True when the last page reached the newest event. */
  isAtHead: boolean;
  /** True since a page first reached the newest event. */
  isLive: boolean;
  /** True when the account's last event, its closing, has been read. */
  isClosed: boolean;
  /** Why the stream must end; set when a page was read, null while it continues. */
  end: StreamEndReason | null;
}

/** The core's type of an account's last event. */
const CLOSED = "accountClosed";
/** The maximum number of lines of one page. */
const PAGE_LINES = 100;
/** Frames are joined until a buffer has at least this number of characters, so that a page takes few writes. */
const PIECE_CHARACTERS = 65_536;

/**
 * The frames of one stream. The next page is read only when the client has taken the previous one, so no event is
 * queued: a slow client gets events late and misses none. Of the quotes it gets only the newest ones.
 * @rule D9.stream decides
 */
export async function* streamEventFrames(work: StreamWork): AsyncGenerator<Uint8Array> {
  const { alarms } = work;
  const progress: StreamProgress = {
    place: work.from,
    isAtHead: false,
    isLive: false,
    isClosed: false,
    end: null,
  };
  for (;;) {
    const reason = await endReason(work, progress);
    if (reason === "gone") return;
    if (reason !== null) {
      yield Buffer.from(endFrame({ reason, cursor: cursorOfPlace(progress.place) }));
      return;
    }
    if (alarms.takeQuotes()) yield* joinFrames(work.changedQuotes().map(quoteFrame));
    if (!progress.isAtHead || alarms.takeNewer(progress.place.sequence)) {
      yield* joinFrames(await nextPage(work, progress));
    } else if (alarms.isMarkDue()) {
      yield Buffer.from(renderMark(work, progress));
    } else await alarms.next();
  }
}

/**
 * Why the stream ends. Null while it continues, `gone` when no client is left to which an end frame could be sent.
 * @rule D9.streamEnds decides
 */
async function endReason(
  { request, alarms }: StreamWork,
  { end, isAtHead, isClosed }: StreamProgress,
): Promise<StreamEndReason | "gone" | null> {
  if (end !== null) return end;
  if (isClosed && isAtHead) return "accountClosed";
  switch (alarms.ending()) {
    case null:
      return null;
    case "over":
      return request.isStopping() ? "restart" : "gone";
    case "age":
      return "age";
    case "key": {
      const ending = await request.keyInUse.ending();
      if (ending === null) alarms.watchKey();
      return ending;
    }
  }
}

/**
 * Reads and renders the next page. The read waits for its turn among the account's expensive reads. The result is empty
 * when the stream ends meanwhile. @rule D9.stream
 */
async function nextPage(work: StreamWork, progress: StreamProgress): Promise<readonly string[]> {
  const { request, events, alarms } = work;
  const endRead = await work.reads.beginInStream(request.accountId, alarms.untilEnding);
  // The stream ended while it waited for its turn.
  if (endRead === null) return [];
  try {
    const { sequence, hash } = progress.place;
    const page = await events.page(request.accountId, {
      after: { sequence, hash: Buffer.from(hash).toString("hex") },
      limit: PAGE_LINES,
      types: request.types === null ? null : new Set([...request.types, CLOSED]),
    });
    // The key is checked after the page was read, so that no event is sent that came after the key's end.
    // @rule D9.streamEnds
    progress.end = await request.keyInUse.ending();
    if (progress.end !== null) return [];
    // The journal does not have the line of the cursor: its past was changed while the stream was open. The client's
    // next stream begins with this cursor, and its answer reports the change.
    if (!page.ok) progress.end = "restart";
    return page.ok ? renderPage(page, work, progress) : [];
  } finally {
    endRead();
  }
}

/**
 * Moves the stream's progress to the end of a page, and renders the page. A mark follows the page when the stream
 * reaches the head for the first time. Before that, a mark also follows a page without a matching event, and any page
 * when the period of marks has passed. At the head, `streamEventFrames` sends the periodic marks.
 * @rule D9.streamMarks decides
 */
function renderPage(
  { lines, next, head }: Extract<EventPageResult, { ok: true }>,
  work: StreamWork,
  progress: StreamProgress,
): readonly string[] {
  const { types, hasProof } = work.request;
  const typed = lines.map((line) => ({ line, type: eventTypeOf(line) }));
  const wanted = typed.filter(({ type }) => types === null || types.has(type));
  const frames = wanted.map(({ line }) => eventFrame(line, hasProof));
  progress.place = next;
  progress.isAtHead = next.sequence === head.sequence;
  progress.isClosed ||= typed.some(({ type }) => type === CLOSED);
  const isFirstAtHead = progress.isAtHead && !progress.isLive;
  if (isFirstAtHead) progress.isLive = true;
  const isCatchingUp = !progress.isAtHead && (frames.length === 0 || work.alarms.isMarkDue());
  return isFirstAtHead || isCatchingUp ? [...frames, renderMark(work, progress)] : frames;
}

/** The frame of a mark. It also postpones the next mark. */
function renderMark({ alarms, clock }: StreamWork, { place, isLive }: StreamProgress): string {
  alarms.postponeMark();
  return markFrame({ cursor: cursorOfPlace(place), atMs: clock.now(), live: isLive });
}

/** Joins frames into buffers of at least `PIECE_CHARACTERS`, apart from the last buffer. */
function* joinFrames(frames: readonly string[]): Generator<Uint8Array> {
  let piece = "";
  for (const frame of frames) {
    piece += frame;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(piece);
    piece = "";
  }
  if (piece !== "") yield Buffer.from(piece);
}
