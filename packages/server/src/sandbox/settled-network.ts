import type { TradingNetwork } from "@propgate/ledger";

/**
 * Wraps the network so that an order call returns when the market has settled: in a sandbox the next call
 * always sees a marketable limit filled, in every run.
 */
export function withSettledMarket(
  network: TradingNetwork,
  settled: () => Promise<void>,
): TradingNetwork {
  return {
    ...network,
    async carryOut(accountId, command, origin) {
      const placement = await network.carryOut(accountId, command, origin);
      await settled();
      return placement;
    },
  };
}
