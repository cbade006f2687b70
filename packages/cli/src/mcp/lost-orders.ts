/** The orders of this process whose fate is unknown, for an agent that has lost their nonces. */
export interface LostOrders {
  /** Notes that an order is sent with this nonce. `opens` is true when it may open a position or add to one. */
  noteSent(nonce: string, opens: boolean): void;
  /** Notes the fate with which the call has ended. */
  noteFate(nonce: string, fate: "accepted" | "rejected" | "unknown"): void;
  /** True when an order that may open or add to a position was sent and its fate is unknown. */
  hasUnknownOpening(): boolean;
  /** The nonce of the order that was sent last among those of unknown fate; null when every fate is known. */
  lastNonce(): string | null;
}

/**
 * Creates the list of this process. An order's fate counts as unknown from the moment at which it is sent, because the
 * agent's program may stop waiting or disconnect before the answer.
 */
export function createLostOrders(): LostOrders {
  const nonces = new Map<string, { readonly opens: boolean }>();
  return {
    noteSent: (nonce, opens) => void nonces.set(nonce, { opens }),
    noteFate: (nonce, fate) => {
      if (fate !== "unknown") nonces.delete(nonce);
    },
    hasUnknownOpening: () => [...nonces.values()].some(({ opens }) => opens),
    lastNonce: () => [...nonces.keys()].at(-1) ?? null,
  };
}
