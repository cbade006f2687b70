import type { Reading, TradingNetwork } from "../../../ledger/src/trading/network/port.ts";

type Failure = Exclude<Reading<never>, { ok: true }>;

/** A network whose reads all fail with this failure, and whose orders have an unknown fate. */
export function failingNetwork(failure: Failure): TradingNetwork {
  const fail = async (): Promise<Failure> => failure;
  return {
    account: fail,
    positions: fail,
    pendingOrders: fail,
    trades: fail,
    payouts: fail,
    market: fail,
    preview: fail,
    carryOut: async () => ({ ok: false, error: "unknownFate" }),
  };
}

export const unreachableNetwork: TradingNetwork = failingNetwork({
  ok: false,
  error: "unreachable",
});
