import { tradeView } from "../../views/trade.ts";
import { type Handler, type HandlerOptions, readAt, readingOutcome } from "../handler.ts";

/** GET trades: closed ones, newest first. @rule S2.4 */
export const getTrades =
  ({ network, instruments }: Pick<HandlerOptions, "network" | "instruments">): Handler =>
  async (input) =>
    readingOutcome(await network.trades(readAt(input)), (trades) =>
      trades.map((trade) => tradeView(trade, instruments)),
    );
