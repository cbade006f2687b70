import {
  type Handler,
  type NetworkOptions,
  networkOf,
  readAt,
  readingOutcome,
} from "../handler.ts";

/** GET positions. @rule S2.2 */
export const getPositions =
  (options: NetworkOptions): Handler =>
  async (input) =>
    readingOutcome(await networkOf(options, input).positions(readAt(input)), input);
