import type { OrderUuid } from "../ids.ts";

/** The text between the uuid of an order and the number of a leg that the order attached. */
export const LEG_ID_INFIX = "-bracket-";

/** Whether both ids belong to legs of the same request. */
export function areOfOneRequest(one: OrderUuid, other: OrderUuid): boolean {
  const order = parentOrderOfLeg(one);
  return order !== null && order === parentOrderOfLeg(other);
}

/** The id of the order that attached a leg; null for an id that is not a leg's. */
export function parentOrderOfLeg(uuid: string): string | null {
  const mark = uuid.lastIndexOf(LEG_ID_INFIX);
  return mark === -1 ? null : uuid.slice(0, mark);
}
