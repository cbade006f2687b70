import {
  type Handler,
  type NetworkOptions,
  networkOf,
  readAt,
  readingOutcome,
} from "../handler.ts";

/** GET account. @rule S2.1 */
export const getAccount =
  (options: NetworkOptions): Handler =>
  async (input) =>
    readingOutcome(await networkOf(options, input).account(readAt(input)), input);
