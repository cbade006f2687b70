/** The orders of this process whose fate is not known, for an agent that lost their nonces. */
export interface LostOrders {
  /** An order goes out under this nonce; `opens` when it may open or add something. */
  sending(nonce: string, opens: boolean): void;
  /** The fate of the order is known, or it is known not to be. */
  answered(nonce: string, fate: "accepted" | "rejected" | "unknown"): void;
  /** Whether an order that may open something has gone out and its fate is not known. */
  hasUnknownOpening(): boolean;
  /** The nonce of the order that was sent last; null when every fate is known. */
  last(): string | null;
}

/**
 * An order counts as lost from the moment it goes out: the agent's program may stop waiting, or be
 * disconnected, before there is an answer.
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
