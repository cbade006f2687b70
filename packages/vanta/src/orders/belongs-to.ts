import type { OrderUuid } from "@propgate/core";

/** Whether `uuid` is the order itself or one of its legs: the network cancels both under the order's id. */
export function isOrderOrLegOf(uuid: OrderUuid, parent: OrderUuid): boolean {
  return uuid === parent || uuid.startsWith(`${parent}-bracket-`);
}
