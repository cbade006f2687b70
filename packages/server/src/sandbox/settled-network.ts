import type { TradingNetwork } from "../trading/network/port.ts";

/**
 * Wraps the network so that an order call returns when the market has settled: in a sandbox the next call
 * always sees a marketable limit filled, in every run.
 */
export function withSettledMarket(
  network: TradingNetwork,
  settled: () => Promise<void>,
): TradingNetwork {
  return {
    account: (at) => network.account(at),
    positions: (at) => network.positions(at),
    pendingOrders: (at) => network.pendingOrders(at),
    trades: (at, page) => network.trades(at, page),
    payouts: (at, page) => network.payouts(at, page),
    market: (at) => network.market(at),
    preview: (at, command) => network.preview(at, command),
    async placeOrder(accountId, command, origin) {
      const placement = await network.placeOrder(accountId, command, origin);
      await settled();
      return placement;
    },
  };
}
