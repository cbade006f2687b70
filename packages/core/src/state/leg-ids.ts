import type { OrderUuid } from "../ids.ts";

/** Between the uuid of an order and the number of a leg that it attached. */
export const LEG_MARK = "-bracket-";

/** Whether two ids are of legs of one request. */
export function areSisters(one: OrderUuid, other: OrderUuid): boolean {
  const order = orderOfLeg(one);
  return order !== null && order === orderOfLeg(other);
}

/** The id of the order that a leg was sent with; null for an id that is not a leg's. */
export function orderOfLeg(uuid: string): string | null {
  const mark = uuid.lastIndexOf(LEG_MARK);
  return mark === -1 ? null : uuid.slice(0, mark);
}
