import type { Clock } from "@propgate/base";
import type { QuoteItem, StreamEndReason } from "@propgate/contract";
import { type EventDesk, type LinePlace, type PageRead, typeOf } from "@propgate/ledger";
import { type ExpensiveReads, placeCursor, type StreamRequest } from "@propgate/wire";
import type { StreamAlarms } from "./stream-alarms.ts";
import { endFrame, eventFrame, markFrame, quoteFrame } from "./stream-frames.ts";

export interface StreamWork {
  readonly request: StreamRequest;
  /** Where the stream begins. */
  readonly from: LinePlace;
  readonly events: Pick<EventDesk, "page">;
  readonly reads: Pick<ExpensiveReads, "beginInStream">;
  readonly clock: Clock;
  readonly alarms: StreamAlarms;
  /** The quotes that changed since the last call. */
  readonly changedQuotes: () => readonly QuoteItem[];
}

/** How far a stream has come. */
interface Progress {
  /** Everything up to here that matches has been sent. */
  place: LinePlace;
  isAtHead: boolean;
  isLive: boolean;
  /** The account was closed, so nothing follows the head. */
  isClosed: boolean;
  /** Set when a page showed that the stream must end. */
  end: StreamEndReason | null;
}

/** The core's type of the event after which an account has no further ones. */
const CLOSED = "accountClosed";
/** Lines of one page. */
const PAGE_LINES = 100;
/** Frames are joined up to this size, so that a page is a few writes. */
const PIECE_CHARACTERS = 65_536;

/**
 * The frames of one stream. The next page is read when the client has taken the one before, so nothing is queued: a
 * slow client is late and misses no event.
 * @rule D9.stream decides
 */
export async function* eventStream(work: StreamWork): AsyncGenerator<Uint8Array> {
  const { alarms } = work;
  const progress: Progress = {
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
      yield Buffer.from(endFrame({ reason, cursor: placeCursor(progress.place) }));
      return;
    }
    if (alarms.takeQuotes()) yield* piecesOf(work.changedQuotes().map(quoteFrame));
    if (!progress.isAtHead || alarms.takeNewer(progress.place.sequence)) {
      yield* piecesOf(await nextPage(work, progress));
    } else if (alarms.isMarkDue()) {
      yield Buffer.from(mark(work, progress));
    } else await alarms.next();
  }
}

/** Null while the stream continues; `gone` when there is no client to write to. @rule D9.streamEnds decides */
async function endReason(
  { request, alarms }: StreamWork,
  { end, isAtHead, isClosed }: Progress,
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

/** Reads and renders the next page in its turn among the account's expensive reads. */
async function nextPage(work: StreamWork, progress: Progress): Promise<readonly string[]> {
  const { request, events, alarms } = work;
  const endRead = await work.reads.beginInStream(request.accountId, alarms.untilEnding);
  // The stream is over.
  if (endRead === null) return [];
  try {
    const { sequence, hash } = progress.place;
    const page = await events.page(request.accountId, {
      after: { sequence, hash: Buffer.from(hash).toString("hex") },
      limit: PAGE_LINES,
      types: request.types === null ? null : new Set([...request.types, CLOSED]),
    });
    // Looked at after the page, so that no event is sent that came after the key's end.
    progress.end = await request.keyInUse.ending();
    if (progress.end !== null) return [];
    // The past was changed under the stream, which the cursor of the next one will find.
    if (!page.ok) progress.end = "restart";
    return page.ok ? framesOf(page, work, progress) : [];
  } finally {
    endRead();
  }
}

/** The frames of a page, and a mark where one is due. @rule D9.streamMarks decides */
function framesOf(
  { lines, next, head }: Extract<PageRead, { ok: true }>,
  work: StreamWork,
  progress: Progress,
): readonly string[] {
  const { types, hasProof } = work.request;
  const typed = lines.map((line) => ({ line, type: typeOf(line) }));
  const wanted = typed.filter(({ type }) => types === null || types.has(type));
  const frames = wanted.map(({ line }) => eventFrame(line, hasProof));
  progress.place = next;
  progress.isAtHead = next.sequence === head.sequence;
  progress.isClosed ||= typed.some(({ type }) => type === CLOSED);
  const isFirstAtHead = progress.isAtHead && !progress.isLive;
  if (isFirstAtHead) progress.isLive = true;
  const isCatchingUp = !progress.isAtHead && (frames.length === 0 || work.alarms.isMarkDue());
  return isFirstAtHead || isCatchingUp ? [...frames, mark(work, progress)] : frames;
}

function mark({ alarms, clock }: StreamWork, { place, isLive }: Progress): string {
  alarms.marked();
  return markFrame({ cursor: placeCursor(place), atMs: clock.now(), live: isLive });
}

function* piecesOf(frames: readonly string[]): Generator<Uint8Array> {
  let piece = "";
  for (const frame of frames) {
    piece += frame;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(piece);
    piece = "";
  }
  if (piece !== "") yield Buffer.from(piece);
}
