import { instrumentViews } from "../../views/instrument.ts";
import { type Handler, type HandlerNeeds, outcomeOf, readAt } from "../handler.ts";

/** GET instruments: the whole catalogue, as it binds this account. @rule D9.instruments */
export const getInstruments =
  ({ network }: Pick<HandlerNeeds, "network">): Handler =>
  async (asked) =>
    outcomeOf(await network.market(readAt(asked)), instrumentViews);
