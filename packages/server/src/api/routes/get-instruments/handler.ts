import {
  type Handler,
  type NetworkOptions,
  networkOf,
  readAt,
  readingOutcome,
} from "../handler.ts";

/** GET instruments: the whole catalogue with this account's limits. @rule D9.instruments */
export const getInstruments =
  (options: NetworkOptions): Handler =>
  async (input) =>
    readingOutcome(await networkOf(options, input).instruments(readAt(input)), input);
