import { tradeView } from "../../views/trade.ts";
import { type Handler, type HandlerNeeds, outcomeOf, readAt } from "../handler.ts";

/** GET trades: closed ones, newest first. @rule S2.4 */
export const getTrades =
  ({ network, instruments }: Pick<HandlerNeeds, "network" | "instruments">): Handler =>
  async (asked) =>
    outcomeOf(await network.trades(readAt(asked)), (trades) =>
      trades.map((trade) => tradeView(trade, instruments)),
    );
