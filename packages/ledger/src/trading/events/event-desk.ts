import { type AccountId, CHAIN_START, type ChainedLine } from "@propgate/core";
import type { EventLines, LinesPage } from "../../storage/journal/event-lines.ts";
import type { CommitWaits, OnRequestEnd } from "./commit-waits.ts";

/** Identifies a line of a journal by its number and hash. */
export interface LineRef {
  readonly sequence: number;
  readonly hash: Uint8Array;
}

/** A request for the events of an account after a journal line. */
export interface LinesRequest {
  readonly after: {
    readonly sequence: number;
    /** The first bytes of the line's hash in hexadecimal; null when the caller does not know it. */
    readonly hash: string | null;
  };
  readonly limit: number;
  /** The types of core's events that are read; null for all. */
  readonly types: ReadonlySet<string> | null;
  /** How long to wait when there is no event yet. */
  readonly waitMs: number;
}

/**
 * Why a cursor names no line of the account's journal. `ahead`: its number is greater than the newest line's.
 * `differs`: the line with its number has another hash, or is missing.
 */
export type CursorProblem =
  | { readonly kind: "ahead"; readonly head: number }
  | { readonly kind: "differs"; readonly at: number };

/**
 * Waits without holding back other reads. False when the request does not get its turn to read again after the wait.
 */
export type WaitAside = (waiting: Promise<void>) => Promise<boolean>;

/** The line that a cursor names and the head of the journal, or why there is no such line. */
export type CursorLocation =
  | { readonly ok: true; readonly place: LineRef; readonly head: LineRef }
  | { readonly ok: false; readonly problem: CursorProblem };

/** A page of events, or why its cursor names no line. */
export type EventPageResult =
  | {
      readonly ok: true;
      readonly lines: readonly ChainedLine[];
      /** The line after which the next page begins: the last line that was read, whether it matched or not. */
      readonly next: LineRef;
      readonly head: LineRef;
    }
  | { readonly ok: false; readonly problem: CursorProblem };

/** A page of events, or why there is none. `noTurn`: after its wait, the request did not get its turn to read again. */
export type EventLinesResult =
  | EventPageResult
  | { readonly ok: false; readonly problem: { readonly kind: "noTurn" } };

/** Reads the events of an account in their order, after a journal line. */
export interface EventDesk {
  read(
    account: AccountId,
    request: LinesRequest,
    waiting: { readonly untilOver: OnRequestEnd; readonly aside: WaitAside },
  ): Promise<EventLinesResult>;
  /** Finds the line that a cursor names, and the head of the journal. */
  locate(account: AccountId, cursor: LinesRequest["after"]): Promise<CursorLocation>;
  /** Reads a page of the account's events without waiting. */
  page(account: AccountId, request: Omit<LinesRequest, "waitMs">): Promise<EventPageResult>;
  /** Calls the listener with each new version of the account, until the returned function is called. */
  follow(account: AccountId, listener: (version: number) => void): () => void;
}

/**
 * The maximum number of lines that one statement reads while types are selected. The first statements read fewer when
 * few events are requested.
 */
const SCAN_LINES = 500;
const SCAN_GROWTH = 20;
/**
 * The maximum number of statements of a request that selects types; together they read at most 5,000 lines. The client
 * continues at `next`. @rule D12.boundedScan decides
 */
const SCANS_MAX = 10;

/**
 * Creates the desk. It reads events from `lines`, and `waits` wakes it when an account has a new event.
 * @rule D9.events D9.cursor D9.wait
 */
export function createEventDesk(options: {
  readonly lines: EventLines;
  readonly waits: CommitWaits;
}): EventDesk {
  const { lines, waits } = options;
  return {
    async locate(account, cursor) {
      const page = await pageAt(lines, account, cursor);
      const place = locateCursor(page, cursor);
      if ("kind" in place) return { ok: false, problem: place };
      return { ok: true, place, head: page.head };
    },
    page: (account, request) => readEventPage(lines, account, request),
    follow: (account, listener) => waits.follow(account, listener),
    async read(account, request, { untilOver, aside }) {
      const { waitMs } = request;
      // The wait begins before the first read, so that a commit after that read ends it.
      const wait = waitMs === 0 ? null : waits.open(account, { ms: waitMs, over: untilOver });
      try {
        let read: EventLinesResult = await readEventPage(lines, account, request);
        while (wait !== null && isAtEnd(read) && !wait.isOver) {
          const { sequence, hash } = read.next;
          const mayRead = await aside(wait.newerThan(sequence));
          if (!mayRead) return { ok: false, problem: { kind: "noTurn" } };
          const after = { sequence, hash: hexOf(hash) };
          read = await readEventPage(lines, account, { ...request, after });
        }
        return read;
      } finally {
        wait?.close();
      }
    },
  };
}

/** True when the page has no event and ends at the head of the journal, so that a request would wait. */
function isAtEnd(read: EventLinesResult): read is Extract<EventLinesResult, { ok: true }> {
  return read.ok && read.lines.length === 0 && read.next.sequence === read.head.sequence;
}

/** The line that the cursor names, or why there is no such line. */
export async function findCursorLine(
  lines: EventLines,
  account: AccountId,
  cursor: LinesRequest["after"],
): Promise<LineRef | CursorProblem> {
  return locateCursor(await pageAt(lines, account, cursor), cursor);
}

/** A page of at most one line: the line of the cursor, or the first line for the cursor 0. */
async function pageAt(
  lines: EventLines,
  account: AccountId,
  { sequence }: LinesRequest["after"],
): Promise<LinesPage> {
  const page = await lines.page(account, { from: Math.max(1, sequence), limit: 1 });
  if (page === null) throw new Error("broken invariant: an account that the gates have found");
  return page;
}

/**
 * Reads the next lines of these types after the cursor, in the order of the journal, without waiting. `next` of the
 * result is the last line that was read, after which the next page continues. Throws for an unknown account.
 * @rule D9.events decides
 */
export async function readEventPage(
  lines: EventLines,
  account: AccountId,
  request: Omit<LinesRequest, "waitMs">,
): Promise<EventPageResult> {
  const { limit, types } = request;
  const found: ChainedLine[] = [];
  let after = request.after;
  for (let scans = 1; ; scans += 1) {
    const size = types === null ? limit : Math.min(SCAN_LINES, limit * SCAN_GROWTH ** scans);
    // The page has the line of the cursor, and `size` lines after it.
    const from = Math.max(1, after.sequence);
    const page = await lines.page(account, {
      from,
      limit: after.sequence + size - from + 1,
      types,
    });
    if (page === null) throw new Error("broken invariant: an account that the gates have found");
    const at = locateCursor(page, after);
    if ("kind" in at) return { ok: false, problem: at };
    const next = addRequestedLines(page, { after: at, found, request });
    const isDone = types === null || found.length === limit || scans === SCANS_MAX;
    if (isDone || next.sequence >= page.head.sequence) {
      return { ok: true, lines: found, next, head: page.head };
    }
    after = { sequence: next.sequence, hash: hexOf(next.hash) };
  }
}

/**
 * Adds to `found` the lines of the page that follow `after` and have a requested type, until `found` has `limit` lines.
 * Returns the last line that was read, whether it was added or not.
 */
function addRequestedLines(
  page: LinesPage,
  part: {
    readonly after: LineRef;
    readonly found: ChainedLine[];
    readonly request: Omit<LinesRequest, "waitMs">;
  },
): LineRef {
  const { found, request } = part;
  const { limit, types } = request;
  let next = part.after;
  for (const line of page.lines.filter(({ seq }) => seq > part.after.sequence)) {
    if (found.length === limit) break;
    if (types === null || types.has(eventTypeOf(line))) found.push(line);
    next = { sequence: line.seq, hash: line.hash };
  }
  return next;
}

/**
 * The line that the cursor names, or why there is no such line: the number is `ahead` of the journal, or the line with
 * this number `differs` in its hash. A cursor without a hash names the line by its number alone.
 * @rule D9.cursor decides
 */
function locateCursor(
  { head, lines }: LinesPage,
  cursor: LinesRequest["after"],
): LineRef | CursorProblem {
  const { sequence, hash } = cursor;
  if (sequence > head.sequence) return { kind: "ahead", head: head.sequence };
  const [first] = lines;
  const own = sequence === 0 ? CHAIN_START : first?.hash;
  const isThere = sequence === 0 || first?.seq === sequence;
  if (own === undefined || !isThere || (hash !== null && !hexOf(own).startsWith(hash))) {
    return { kind: "differs", at: sequence };
  }
  return { sequence, hash: own };
}

/** The type of the line's event, as core names it. */
export function eventTypeOf({ event }: ChainedLine): string {
  const { type } = JSON.parse(event) as { readonly type: string };
  return type;
}

function hexOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex");
}
