import type {
  Account,
  InstrumentItem,
  Payouts,
  PendingOrder,
  PositionItem,
  TradeItem,
} from "@propgate/contract";
import {
  createClient,
  type OrderCallOptions,
  type OrderOutcome,
  type OrderRequest,
} from "@propgate/sdk";
import type { Credentials } from "../profile/connection.ts";
import { explained } from "./refusal.ts";

/** The one place that calls the service as a trader. Every failure is a CliError with its fix. */
export interface TradingService {
  account(): Promise<Account>;
  positions(): Promise<readonly PositionItem[]>;
  pendingOrders(): Promise<readonly PendingOrder[]>;
  trades(): Promise<readonly TradeItem[]>;
  /** Page after page, as they are asked for. */
  payoutPages(): AsyncGenerator<Payouts, void, undefined>;
  instruments(): Promise<readonly InstrumentItem[]>;
  /** Sent once, whatever happens; `options` may report its steps and abort it. */
  place(order: OrderRequest, options?: OrderCallOptions): Promise<OrderOutcome>;
  /** What became of the order with this nonce; one that has not arrived is withdrawn. */
  settle(nonce: string, options?: OrderCallOptions): Promise<OrderOutcome>;
}

/** The most that one page may hold: the fewest reads. */
const PAGE_SIZE = 200;

export function openTradingService(credentials: Credentials, now: () => number): TradingService {
  const { baseUrl, keyId, secret, brand } = credentials;
  const client = createClient({ baseUrl, keyId, secret, brand, now });
  const told = <Value>(work: Promise<Value>): Promise<Value> =>
    work.catch((error: unknown) => {
      throw explained(error, credentials);
    });
  return {
    account: () => told(client.account()),
    positions: () => told(client.positions()),
    pendingOrders: () => told(client.pendingOrders()),
    trades: () => told(client.trades()),
    async *payoutPages() {
      let cursor: string | null = null;
      do {
        const query = { limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) };
        const page: Payouts = await told(client.payouts(query));
        yield page;
        cursor = page.nextCursor;
      } while (cursor !== null);
    },
    instruments: () => told(client.instruments()),
    place: (order, options) => told(client.placeOrder(order, options)),
    settle: (nonce, options) => told(client.settle(nonce, options)),
  };
}
