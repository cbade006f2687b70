import type { Reading } from "@propgate/ledger";
import type { WireNetwork } from "./wire-network.ts";

/**
 * The network of linked accounts while the service runs without a validator. Every read and every order fails, because
 * the network of the account cannot be reached.
 */
export const absentNetwork: WireNetwork = {
  account: unreachable,
  positions: unreachable,
  pendingOrders: unreachable,
  trades: noHistory,
  tradesPage: noHistory,
  payouts: unreachable,
  instruments: unreachable,
  placeOrder: async () => ({ ok: false, rejection: { error: "networkDown" } }),
  flatten: async () => ({ ok: false, rejection: { error: "networkDown" } }),
};

async function noHistory(): Promise<Reading<never>> {
  return {
    ok: false,
    error: "upstream",
    message: "this service runs without the network of the account",
  };
}

async function unreachable(): Promise<Reading<never>> {
  return { ok: false, error: "unreachable" };
}
