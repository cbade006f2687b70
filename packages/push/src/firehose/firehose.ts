import { eventTypeOf, type OnRequestEnd, type PerShard } from "@propgate/ledger";
import type {
  AccountSpan,
  LineFilter,
  OwnedLine,
  TransactionLines,
} from "../storage/transaction-lines.ts";
import {
  encodeCursor,
  FIREHOSE_START,
  type FirehoseCursor,
  type FirehosePosition,
  parseCursor,
} from "./firehose-cursor.ts";
import type { FirehoseWaits } from "./firehose-waits.ts";

/** Selects events by their type, their account and its program. */
export interface FirehoseFilter extends LineFilter {
  /** The names of event types in the core; null for all types. */
  readonly types: ReadonlySet<string> | null;
}

/** A request for a page of the events of all accounts. */
export interface FirehoseRequest extends FirehoseFilter {
  /** The `next` of an earlier page, or `0` for the start; null for the head, so that only later events follow. */
  readonly after: string | null;
  readonly limit: number;
  /** How long the request waits while there is no event, in milliseconds; 0 for no wait. */
  readonly waitMs: number;
}

/**
 * Why a cursor is refused. `cursorInvalid`: the text is not a cursor. `historyDiffers`: the cursor is of another
 * installation, or names a line that a restore or a failover has removed.
 */
export type FirehoseProblem = "cursorInvalid" | "historyDiffers";

/** A page of events and the cursor after it, or why the cursor was refused. */
export type FirehoseRead =
  | { readonly ok: true; readonly lines: readonly OwnedLine[]; readonly next: string }
  | { readonly ok: false; readonly problem: FirehoseProblem };

/**
 * The events of a file, which are read while they are iterated, and the cursor after them, or why the cursor was
 * refused.
 */
export type FirehoseFile =
  | { readonly ok: true; readonly lines: AsyncIterable<OwnedLine>; readonly next: string }
  | { readonly ok: false; readonly problem: FirehoseProblem };

/** Reads the journal events of all accounts in all databases. */
export interface Firehose {
  /**
   * Reads a page after the cursor. Events of one account are in the order of their sequences; there is no order between
   * accounts.
   */
  read(request: FirehoseRequest, untilOver: OnRequestEnd): Promise<FirehoseRead>;
  /**
   * All events after the cursor up to the moment of the call, by database, then by account id, then by sequence. A null
   * cursor means the start.
   */
  file(request: FirehoseFilter & Pick<FirehoseRequest, "after">): Promise<FirehoseFile>;
}

/** The part of the firehose that reads one database. */
export interface FirehosePart {
  readonly lines: TransactionLines;
  /** Identifies the database's history: a restore gives the database a new identity. */
  readonly identity: () => Promise<Uint8Array>;
}

/** The maximum number of lines that one statement reads when a filter leaves lines out. */
const SCAN_LINES = 500;
/**
 * The maximum number of lines that one request reads. When its filter keeps few of them the page is short, and the
 * client continues at `next`.
 */
const LINES_MAX = 5_000;
/** The maximum number of lines that one statement reads for a file. */
const FILE_LINES = 1_000;

/**
 * Makes the firehose of all databases.
 * @rule D9.firehose D9.firehoseFile D9.firehoseCursor D9.firehoseWait
 */
export function createFirehose(options: {
  readonly parts: PerShard<FirehosePart>;
  readonly waits: FirehoseWaits;
}): Firehose {
  const { parts, waits } = options;
  return {
    async read(request, untilOver) {
      const { waitMs } = request;
      // The wait begins before the first read, so that a commit after that read ends it.
      const wait = waitMs === 0 ? null : waits.open({ ms: waitMs, over: untilOver });
      try {
        const start = await locateCursor(parts, request.after);
        if (typeof start === "string") return { ok: false, problem: start };
        let page = await readPage(parts, start, request);
        while (wait !== null && page.isAtHead && page.lines.length === 0 && !wait.isOver) {
          await wait.waitForLines();
          // A failover during the wait may have lost the line of the cursor. New lines may then be before the cursor.
          if (!(await hasPlaces(parts, page.next))) return { ok: false, problem: "historyDiffers" };
          page = await readPage(parts, page.next, request);
        }
        return { ok: true, lines: page.lines, next: encodeCursor(page.next) };
      } finally {
        wait?.close();
      }
    },
    async file({ after, ...filter }) {
      const start = await locateCursor(parts, after ?? "0");
      if (typeof start === "string") return { ok: false, problem: start };
      const end = await readHead(parts);
      const lines = readLinesBetween(parts, { start, end, filter });
      return { ok: true, lines, next: encodeCursor(end) };
    },
  };
}

async function readHead(parts: PerShard<FirehosePart>): Promise<FirehoseCursor> {
  const places = parts.map(async ({ identity, lines }) => ({
    identity: await identity(),
    line: await lines.head(),
  }));
  return { nextDatabase: 0, places: await Promise.all(places) };
}

/**
 * The cursor of a request, with a position in each database. `cursorInvalid` for a text that is no cursor.
 * `historyDiffers` when the cursor has more databases, when a database has another identity, or when its journal does
 * not have the line of the cursor. @rule D9.firehoseCursor decides
 */
async function locateCursor(
  parts: PerShard<FirehosePart>,
  after: string | null,
): Promise<FirehoseCursor | FirehoseProblem> {
  if (after === null) return readHead(parts);
  const cursor = after === "0" ? FIREHOSE_START : parseCursor(after);
  if (cursor === null) return "cursorInvalid";
  if (cursor.places.length > parts.length) return "historyDiffers";
  const places: FirehosePosition[] = [];
  for (const [database, part] of parts.entries()) {
    const identity = await part.identity();
    const given = cursor.places[database];
    if (given !== undefined && !Buffer.from(identity).equals(given.identity)) {
      return "historyDiffers";
    }
    places.push({ identity, line: given?.line ?? null });
  }
  const located = { nextDatabase: cursor.nextDatabase, places };
  return (await hasPlaces(parts, located)) ? located : "historyDiffers";
}

/** Whether the journal of each database still has the line of the cursor. */
async function hasPlaces(
  parts: PerShard<FirehosePart>,
  { places }: FirehoseCursor,
): Promise<boolean> {
  for (const [database, { lines }] of parts.entries()) {
    const line = places[database]?.line ?? null;
    if (line !== null && !(await lines.has(line))) return false;
  }
  return true;
}

interface Page {
  readonly lines: readonly OwnedLine[];
  readonly next: FirehoseCursor;
  /** False when the page ended because it has `limit` events or because `LINES_MAX` lines were read. */
  readonly isAtHead: boolean;
}

/**
 * Reads a page of the events that the filter keeps, beginning with the database of the cursor's `nextDatabase`. The
 * page ends after `limit` events or `LINES_MAX` lines. After a full page the next page begins with the following
 * database, so that no database has to wait forever. @rule D9.firehose decides
 */
async function readPage(
  parts: PerShard<FirehosePart>,
  { nextDatabase, places }: FirehoseCursor,
  request: FirehoseRequest,
): Promise<Page> {
  const reading: PageInProgress = { request, found: [], left: LINES_MAX };
  const next = [...places];
  for (let step = 0; step < parts.length; step += 1) {
    const database = (nextDatabase + step) % parts.length;
    const { [database]: part } = parts;
    const { [database]: place } = next;
    if (part === undefined || place === undefined) throw new Error(NO_SUCH_DATABASE);
    const line = await readUntilFull(part.lines, place.line, reading);
    next[database] = { ...place, line };
    if (isFull(reading)) {
      const after = { nextDatabase: (database + 1) % parts.length, places: next };
      return { lines: reading.found, next: after, isAtHead: false };
    }
  }
  return { lines: reading.found, next: { nextDatabase, places: next }, isAtHead: true };
}

const NO_SUCH_DATABASE = "broken invariant: a place in each database";

/** A page while it is read. */
interface PageInProgress {
  readonly request: FirehoseRequest;
  readonly found: OwnedLine[];
  /** How many more lines this page may read. */
  left: number;
}

function isFull({ request, found, left }: PageInProgress): boolean {
  return found.length === request.limit || left === 0;
}

/**
 * Reads until the page is full or the database has no more lines. Returns the position of the last line that was read
 * for the page.
 */
async function readUntilFull(
  lines: TransactionLines,
  after: FirehosePosition["line"],
  reading: PageInProgress,
): Promise<FirehosePosition["line"]> {
  const { request, found } = reading;
  const { limit, types, accountId, programId } = request;
  const isFiltered = types !== null || accountId !== null || programId !== null;
  let place = after;
  while (!isFull(reading)) {
    const size = Math.min(isFiltered ? SCAN_LINES : limit - found.length, reading.left);
    const page = await lines.page(place, { limit: size, filter: request });
    for (const one of page) {
      if (found.length === limit) return place;
      if (one.found !== null && isOfType(one.found, types)) found.push(one.found);
      ({ place } = one);
      reading.left -= 1;
    }
    if (page.length < size) return place;
  }
  return place;
}

function isOfType({ line }: OwnedLine, types: ReadonlySet<string> | null): boolean {
  return types === null || types.has(eventTypeOf(line));
}

/**
 * The events of a file: those that the filter keeps, after the start and up to the end, by database, account and
 * sequence. @rule D9.firehoseFile decides
 */
async function* readLinesBetween(
  parts: PerShard<FirehosePart>,
  range: {
    readonly start: FirehoseCursor;
    readonly end: FirehoseCursor;
    readonly filter: FirehoseFilter;
  },
): AsyncGenerator<OwnedLine> {
  const { start, end, filter } = range;
  for (const [database, { lines }] of parts.entries()) {
    const upTo = end.places[database]?.line ?? null;
    if (upTo === null) continue;
    const after = start.places[database]?.line ?? null;
    for (const spans of groupSpans(await lines.findSpans(after, upTo, filter.accountId))) {
      const found = await lines.linesOf(spans, filter);
      yield* found.filter((one) => isOfType(one, filter.types));
    }
  }
}

/** Groups spans so that one statement reads at most `FILE_LINES` lines; a longer span is divided. */
function* groupSpans(spans: readonly AccountSpan[]): Generator<readonly AccountSpan[]> {
  let group: AccountSpan[] = [];
  let lines = 0;
  for (const { accountId, from, upTo } of spans) {
    for (let first = from; first <= upTo; first += FILE_LINES) {
      const last = Math.min(upTo, first + FILE_LINES - 1);
      if (lines + last - first + 1 > FILE_LINES) {
        yield group;
        group = [];
        lines = 0;
      }
      group.push({ accountId, from: first, upTo: last });
      lines += last - first + 1;
    }
  }
  if (group.length > 0) yield group;
}
