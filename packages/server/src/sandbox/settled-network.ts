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
    async placeOrder(accountId, command, origin) {
      const placement = await network.placeOrder(accountId, command, origin);
      await settled();
      return placement;
    },
  };
}
