import { instrumentViews } from "../../views/instrument.ts";
import { type Handler, type HandlerOptions, readAt, readingOutcome } from "../handler.ts";

/** GET instruments: the whole catalogue with this account's limits. @rule D9.instruments */
export const getInstruments =
  ({ network }: Pick<HandlerOptions, "network">): Handler =>
  async (input) =>
    readingOutcome(await network.market(readAt(input)), instrumentViews);
