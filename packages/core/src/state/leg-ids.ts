import type { OrderUuid } from "../ids.ts";

/** Between the uuid of an order and the number of a leg that it attached. */
export const LEG_MARK = "-bracket-";

/** Whether two ids are of legs of one request. */
export function areSisters(one: OrderUuid, other: OrderUuid): boolean {
  const parent = parentOf(one);
  return parent !== null && parent === parentOf(other);
}

/** Null for an id that does not belong to a leg. */
function parentOf(uuid: OrderUuid): string | null {
  const mark = uuid.lastIndexOf(LEG_MARK);
  return mark === -1 ? null : uuid.slice(0, mark);
}
