import { InvalidOrderError } from "../errors.ts";
import type { OrderRequest } from "./order-request.ts";

/**
 * The JSON of an order. Throws InvalidOrderError for a number that JSON does not have, such as NaN. `JSON.stringify`
 * would write null instead, which the service reads as an absent field, so a stop would be missing without an error.
 */
export function orderBody(order: OrderRequest): string {
  return JSON.stringify(order, (name, value: unknown) => {
    if (typeof value !== "number" || Number.isFinite(value)) return value;
    throw new InvalidOrderError(`'${name}' must be a finite number, not ${value}`, []);
  });
}
