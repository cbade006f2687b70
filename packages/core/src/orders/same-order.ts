import type { EntryOrder, LegRequest, TrailingDistance } from "../state/order.ts";

/** True when an edit leaves the entry unchanged. @rule D13.shownIsHeld */
export function isSameEntry(before: EntryOrder, after: EntryOrder): boolean {
  return isDeepEqual(requestOf(before), requestOf(after));
}

/**
 * The entry without the fields that the network adds, so that exactly the fields of the request are compared, for every
 * kind.
 */
function requestOf(order: EntryOrder) {
  const { uuid: _uuid, placedAtMs: _placed, editedAtMs: _edited, heldAt: _held, ...rest } = order;
  return rest;
}

/** True when an edit leaves the leg unchanged. @rule D13.shownIsHeld */
export function isSameLeg(before: LegRequest, after: LegRequest): boolean {
  return (
    before.stopLoss === after.stopLoss &&
    before.takeProfit === after.takeProfit &&
    isSameTrailing(before.trailing, after.trailing) &&
    isDeepEqual(before.size, after.size)
  );
}

/** True when an edit leaves the trailing distance unchanged. */
export function isSameTrailing(
  before: TrailingDistance | null,
  after: TrailingDistance | null,
): boolean {
  return isDeepEqual(before, after);
}

/** True when two values are equal, field by field: requests, legs or sizes. @rule D10.editKeeps */
export function isDeepEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return one === other;
  }
  const own: readonly (readonly [string, unknown])[] = Object.entries(one);
  const others = new Map<string, unknown>(Object.entries(other));
  return (
    own.length === others.size &&
    own.every(([name, value]) => others.has(name) && isDeepEqual(value, others.get(name)))
  );
}
