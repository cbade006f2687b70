import type { Reading, TradingNetwork } from "../trading/network/port.ts";

type Failure = Exclude<Reading<never>, { ok: true }>;

/** A network of which every read fails in this way, and of whose orders nobody knows the fate. */
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
    placeOrder: async () => ({ ok: false, error: "unknownFate" }),
  };
}

export const unreachableNetwork: TradingNetwork = failingNetwork({
  ok: false,
  error: "unreachable",
});
