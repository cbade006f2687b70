import type { ObservedEvent } from "@propgate/core";
import type { KnownHistory, LinkedAccount, NewLine, ReadingLines } from "@propgate/ledger";
import type { LinkedReadings } from "../dashboard/linked-readings.ts";
import type { MergedReadings } from "../dashboard/merge-dashboard.ts";
import type { LinkedPairs } from "../dashboard/pairs.ts";
import { accountEvents } from "./account-lines.ts";
import { type ObservedChange, observedAccountChange } from "./observed-change.ts";
import { causeOf } from "./own-cause.ts";
import { parentOrderId } from "./parent-order-id.ts";
import { pendingLines, pendingOrdersById } from "./pending-lines.ts";
import { positionLines } from "./position-lines.ts";

/**
 * The lines of a reading: the events that it shows and that earlier readings did not show. The first reading shows the
 * open positions and orders, and the positions that have closed since the account was linked. Earlier trades are in GET
 * trades only. Null when no line can be new. @rule D13.observed
 */
export function readingLines(
  account: Pick<LinkedAccount, "status" | "linkedAtMs">,
  before: LinkedReadings | null,
  { readings: after, records }: MergedReadings,
  pairs: LinkedPairs | null,
): ReadingLines | null {
  const pending = {
    before: pendingOrdersById(before, pairs),
    after: pendingOrdersById(after, pairs),
  };
  const closed = records.filter(
    ({ kind, atMs }) =>
      kind === "closedPosition" && (before !== null || atMs >= account.linkedAtMs),
  );
  const wasPending = new Set(pending.before.keys());
  const ofPositions = positionLines({ before, after, closed, pairs, wasPending });
  const justFilled = new Set(ofPositions.flatMap(fillOf));
  const filled = new Set([...fillsIn(after), ...justFilled]);
  return linesOf([
    ...ofPositions,
    ...pendingLines({ ...pending, filled, justFilled, positions: after.positions }),
    ...accountEvents({ status: account.status, readings: before }, after).map(
      observedAccountChange,
    ),
  ]);
}

/** Makes lines of those events that the journal does not have; null without any event. */
export function linesOf(sightings: readonly ObservedChange[]): ReadingLines | null {
  if (sightings.length === 0) return null;
  const ordered = sightings.toSorted(compareChangeTimes);
  return {
    orderIds: (isNew) => [...new Set(sightings.flatMap((one) => ordersOf(one, isNew)))],
    makeLines(known) {
      const filled = new Set(known.filled);
      return ordered.flatMap((one) => {
        if (!isNewToJournal(one, { ...known, filled })) return [];
        for (const id of fillOf(one)) filled.add(id);
        return [lineOf(one, known)];
      });
    },
  };
}

/**
 * The ids of an observed change's order and of its parent order. None for a change without an order, nor for a change
 * whose record is stored already.
 */
function ordersOf(
  { orderUuid, record }: ObservedChange,
  isNew: KnownHistory["isNew"],
): readonly string[] {
  if (orderUuid === null || (record !== null && !isNew(record))) return [];
  return [orderUuid, parentOrderId(orderUuid)];
}

function fillsIn({ positions }: LinkedReadings): readonly string[] {
  return Object.values(positions).flatMap(({ fills }) => (fills ?? []).map(({ uuid }) => uuid));
}

function fillOf({ event, orderUuid }: ObservedChange): readonly string[] {
  return event.type === "orderFilled" && orderUuid !== null ? [orderUuid] : [];
}

/**
 * True when the event gets a line: when its record is new, or when it has no record and this process holds the
 * account's lease. An event with `isUnlessFilled` gets no line when the journal has a fill of its order.
 * @rule D13.observed decides
 */
function isNewToJournal(
  { record, orderUuid, isUnlessFilled }: ObservedChange,
  { isHeld, isNew, filled }: KnownHistory,
): boolean {
  if (isUnlessFilled && orderUuid !== null && filled.has(orderUuid)) return false;
  return record === null ? isHeld : isNew(record);
}

function lineOf(sighting: ObservedChange, { own }: KnownHistory): NewLine {
  const { isOwn, ...cause } = causeOf(sighting, own);
  const { event } = sighting;
  const shown =
    isOwn && event.type === "orderCancelled"
      ? { ...event, data: { ...event.data, reason: "owner" } }
      : event;
  return { ...cause, event: JSON.stringify(shown) };
}

/**
 * Sorts by the validator's times; a change without a time is last. Changes of the same time are sorted by
 * `EVENT_RANKS`, which follows the life of an order.
 */
function compareChangeTimes(one: ObservedChange, other: ObservedChange): number {
  return timeOf(one) - timeOf(other) || rankOf(one.event) - rankOf(other.event);
}

function timeOf({ orderMs }: ObservedChange): number {
  return orderMs ?? Number.MAX_SAFE_INTEGER;
}

const EVENT_RANKS: readonly ObservedEvent["type"][] = [
  "accountProvisioned",
  "orderPlaced",
  "orderEdited",
  "stopTriggered",
  "orderFilled",
  "legsAttached",
  "orderCancelled",
  "positionClosed",
];

/**
 * The rank of an event among those of the same time. Types that are not listed, such as the end of the account, are
 * last.
 */
function rankOf({ type }: ObservedEvent): number {
  const rank = EVENT_RANKS.indexOf(type);
  return rank < 0 ? EVENT_RANKS.length : rank;
}
