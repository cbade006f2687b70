import {
  type Handler,
  type NetworkOptions,
  networkOf,
  readAt,
  readingOutcome,
} from "../handler.ts";

/** GET trades: closed ones, newest first. @rule S2.4 */
export const getTrades =
  (options: NetworkOptions): Handler =>
  async (input) =>
    readingOutcome(await networkOf(options, input).trades(readAt(input)), input);
