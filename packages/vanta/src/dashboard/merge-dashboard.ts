import type { LinkedRecord } from "@propgate/ledger";
import type { DashboardCursors } from "../upstream/port.ts";
import type {
  DashboardPart,
  LinkedOrder,
  LinkedPosition,
  LinkedReadings,
} from "./linked-readings.ts";
import { mergeOpenItems } from "./open-items.ts";

/** The cursors of a request that reads everything. */
export const NO_CURSORS: DashboardCursors = {
  positionsMs: null,
  ordersMs: null,
  checkpointsMs: null,
  dailyReturnsMs: null,
};

/** The state after an answer was merged, and the items to store besides it. */
export interface MergedReadings {
  readonly readings: LinkedReadings;
  /** The items of the answer that the network sends only once. Storing one again has no effect. */
  readonly records: readonly LinkedRecord[];
}

/**
 * Merges an answer into the stored state. `requested` has the cursors of the answer's request. Where such a cursor is
 * null, the answer replaces the open items. An answer whose cursor is behind the newest one has been overtaken by a
 * later answer: it still closes items, but adds or replaces only items whose own time is later. Merging an answer twice
 * has the same result as merging it once. A change of the phase can delete the account's history on the network. All
 * cursors are null then, so that the next read is a full one, unless this answer was a full one. Sections without a
 * cursor are always replaced; a value that was not sent is null.
 */
export function mergeDashboard(
  before: LinkedReadings | null,
  part: DashboardPart,
  read: { readonly requested: DashboardCursors; readonly readAtMs: number },
): MergedReadings {
  const closedOrders = closedOrderIds(part);
  const newest = laterCursors(before?.newest ?? NO_CURSORS, part);
  const requested = before === null ? NO_CURSORS : read.requested;
  const positions = mergePositions(before, part, { requested, closedOrders });
  const startsAgain = needsFullRead(before, part, requested);
  return {
    readings: {
      info: part.info,
      challenge: part.challenge,
      drawdown: part.drawdown,
      pro: part.pro,
      elimination: part.elimination,
      ledger: part.ledger,
      positions,
      orders: mergeOrders(before, part, { requested, closedOrders }),
      limits: before?.limits ?? null,
      cursors: startsAgain ? NO_CURSORS : nextCursors(newest, positions),
      newest: startsAgain ? NO_CURSORS : newest,
    },
    records: recordsOf(part, { closedOrders, newest, readAtMs: read.readAtMs }),
  };
}

/**
 * The closed orders of an answer. An order that is in the lists of open and of closed orders was closed and opened
 * again, as by an edit, so it is open.
 */
function closedOrderIds(part: DashboardPart): ReadonlySet<string> {
  const open = new Set(part.orders?.open.map(({ uuid }) => uuid));
  return new Set(part.orders?.closed.filter((uuid) => !open.has(uuid)));
}

interface MergeOptions {
  readonly requested: DashboardCursors;
  readonly closedOrders: ReadonlySet<string>;
}

function mergePositions(
  before: LinkedReadings | null,
  part: DashboardPart,
  { requested, closedOrders }: MergeOptions,
): LinkedReadings["positions"] {
  const items = part.positions?.items ?? [];
  const merged = mergeOpenItems<LinkedPosition>({
    before: before?.positions ?? {},
    beforeCursorMs: before?.newest.positionsMs ?? null,
    items: items.filter(({ closeMs }) => closeMs === null),
    closed: new Set(items.filter(({ closeMs }) => closeMs !== null).map(({ uuid }) => uuid)),
    cursorMs: part.positions?.cursorMs ?? null,
    isFull: requested.positionsMs === null,
    timeOf: lastFillMs,
  });
  // The list of closed orders can be newer than a position that was not sent again, so closed orders are removed from
  // the legs of every position.
  return Object.fromEntries(
    Object.entries(merged).map(([uuid, position]) => [
      uuid,
      { ...position, legs: position.legs.filter((leg) => !closedOrders.has(leg.uuid)) },
    ]),
  );
}

function mergeOrders(
  before: LinkedReadings | null,
  part: DashboardPart,
  { requested, closedOrders }: MergeOptions,
): LinkedReadings["orders"] {
  return mergeOpenItems<LinkedOrder>({
    before: before?.orders ?? {},
    beforeCursorMs: before?.newest.ordersMs ?? null,
    items: part.orders?.open ?? [],
    closed: closedOrders,
    cursorMs: part.orders?.cursorMs ?? null,
    isFull: requested.ordersMs === null,
    timeOf: ({ processedMs }) => processedMs ?? 0,
  });
}

function lastFillMs({ openMs, fills }: LinkedPosition): number {
  return Math.max(openMs, ...(fills ?? []).map(({ processedMs }) => processedMs ?? 0));
}

/** The cursors of the next read. It reads open positions again, because their open PnL changes without an order. */
function nextCursors(
  newest: DashboardCursors,
  positions: LinkedReadings["positions"],
): DashboardCursors {
  const { positionsMs } = newest;
  const oldestMs = Math.min(...Object.values(positions).map(lastFillMs)) - 1;
  return { ...newest, positionsMs: positionsMs === null ? null : Math.min(positionsMs, oldestMs) };
}

function laterCursors(known: DashboardCursors, part: DashboardPart): DashboardCursors {
  return {
    positionsMs: laterTime(known.positionsMs, part.positions?.cursorMs),
    ordersMs: laterTime(known.ordersMs, part.orders?.cursorMs),
    checkpointsMs: laterTime(known.checkpointsMs, part.checkpoints?.cursorMs),
    dailyReturnsMs: laterTime(known.dailyReturnsMs, part.dailyReturns?.cursorMs),
  };
}

function laterTime(known: number | null, sent: number | null | undefined): number | null {
  if (sent === null || sent === undefined) return known;
  return known === null ? sent : Math.max(known, sent);
}

/**
 * Whether the next read must be a full one: true after a change of the phase, unless this answer was a full one itself.
 */
function needsFullRead(
  before: LinkedReadings | null,
  part: DashboardPart,
  requested: DashboardCursors,
): boolean {
  if (before === null || part.challenge === null) return false;
  if (requested.positionsMs === null && requested.ordersMs === null) return false;
  const { challenge } = before;
  return (
    challenge === null ||
    challenge.bucket !== part.challenge.bucket ||
    challenge.bucketStartMs !== part.challenge.bucketStartMs
  );
}

function recordsOf(
  part: DashboardPart,
  {
    closedOrders,
    newest,
    readAtMs,
  }: {
    readonly closedOrders: ReadonlySet<string>;
    readonly newest: DashboardCursors;
    readonly readAtMs: number;
  },
): readonly LinkedRecord[] {
  // The time is the cursor where there is one, not the present time, so that the same answer merged twice gives the
  // same record.
  const closedAtMs = part.orders?.cursorMs ?? newest.ordersMs ?? readAtMs;
  return [
    ...(part.positions?.items ?? []).flatMap(closedPositionRecord),
    ...[...closedOrders].map((uuid) => linkedRecord("closedOrder", uuid, closedAtMs, { uuid })),
    ...(part.checkpoints?.items ?? []).map((one) =>
      linkedRecord("checkpoint", String(one.atMs), one.atMs, one),
    ),
    ...(part.dailyReturns?.items ?? []).map((one) =>
      linkedRecord("dailyReturn", one.date, Date.parse(one.date), one),
    ),
  ];
}

function closedPositionRecord(position: LinkedPosition): readonly LinkedRecord[] {
  const { uuid, closeMs } = position;
  return closeMs === null ? [] : [linkedRecord("closedPosition", uuid, closeMs, position)];
}

function linkedRecord(
  kind: LinkedRecord["kind"],
  id: string,
  atMs: number,
  body: unknown,
): LinkedRecord {
  return { kind, id, atMs, body: JSON.stringify(body) };
}
