/** The orders of this process whose fate is not known, for an agent that lost their nonces. */
export interface LostOrders {
  /** An order is being sent with this nonce; `opens` if it may open or add to a position. */
  sending(nonce: string, opens: boolean): void;
  /** The call has ended with this fate. */
  answered(nonce: string, fate: "accepted" | "rejected" | "unknown"): void;
  /** True when an order that may open a position was sent and has no known fate. */
  hasUnknownOpening(): boolean;
  /** The nonce of the order that was sent last; null when every fate is known. */
  last(): string | null;
}

/**
 * An order counts as lost from the moment it is sent, because the agent's program may stop waiting or
 * disconnect before the answer.
 */
export function createLostOrders(): LostOrders {
  const nonces = new Map<string, { readonly opens: boolean }>();
  return {
    sending: (nonce, opens) => void nonces.set(nonce, { opens }),
    answered: (nonce, fate) => {
      if (fate !== "unknown") nonces.delete(nonce);
    },
    hasUnknownOpening: () => [...nonces.values()].some(({ opens }) => opens),
    last: () => [...nonces.keys()].at(-1) ?? null,
  };
}
