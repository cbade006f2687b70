import type { TradingNetwork } from "@propgate/ledger";

/**
 * Wraps the network so that an order call returns only when the market has settled. In a sandbox, the next call then
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
