import type { TradingNetwork } from "../network/port.ts";

/**
 * The same network, whose order calls return when the market has done all that the order brought
 * about: in a sandbox the next call always sees a marketable limit filled, in every run alike.
 */
export function withSettledMarket(
  network: TradingNetwork,
  settled: () => Promise<void>,
): TradingNetwork {
  return {
    account: (at) => network.account(at),
    positions: (at) => network.positions(at),
    pendingOrders: (at) => network.pendingOrders(at),
    trades: (at) => network.trades(at),
    payouts: (at, page) => network.payouts(at, page),
    market: (at) => network.market(at),
    preview: (at, command) => network.preview(at, command),
    async placeOrder(accountId, command, sender) {
      const placement = await network.placeOrder(accountId, command, sender);
      await settled();
      return placement;
    },
  };
}
