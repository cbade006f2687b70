/** The traders of the rehearsal. Each has a client with a key of its own, which the firm's other code never uses. */
import { createClient, resultOf } from "@propgate/sdk";

export interface Trader {
  readonly buy: (pair: string, quantity: number) => Promise<void>;
  /** Closes the position of the pair. */
  readonly sell: (pair: string) => Promise<void>;
}

export function createTrader(given: {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  readonly now: () => number;
}): Trader {
  const client = createClient(given);
  const market = (pair: string) => ({ execution_type: "MARKET", trade_pair: pair }) as const;
  return {
    async buy(pair, quantity) {
      const trade = { ...market(pair), order_type: "LONG", quantity } as const;
      resultOf(await client.placeOrder({ trade }));
    },
    async sell(pair) {
      const trade = { ...market(pair), order_type: "FLAT" } as const;
      resultOf(await client.placeOrder({ trade }));
    },
  };
}

const AT_ONCE = 20;

/** Lets all traders act, in groups of twenty that act at the same time. */
export async function each(
  traders: readonly Trader[],
  act: (trader: Trader) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < traders.length; from += AT_ONCE) {
    await Promise.all(traders.slice(from, from + AT_ONCE).map(act));
  }
}
