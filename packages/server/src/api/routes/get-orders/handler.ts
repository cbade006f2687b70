import {
  type Handler,
  type NetworkOptions,
  networkOf,
  readAt,
  readingOutcome,
} from "../handler.ts";

/** GET orders: pending entry orders and legs. @rule S2.3 */
export const getOrders =
  (options: NetworkOptions): Handler =>
  async (input) =>
    readingOutcome(await networkOf(options, input).pendingOrders(readAt(input)), input);
