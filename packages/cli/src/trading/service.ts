import type {
  Account,
  InstrumentItem,
  OrderResult,
  Payouts,
  PendingOrder,
  PositionItem,
  TradeItem,
} from "@propgate/contract";
import {
  createClient,
  type OrderRequest,
  PropgateError,
  RejectedError,
  UnknownFateError,
} from "@propgate/sdk";
import { CliError, EXIT } from "../cli-error.ts";
import type { Credentials } from "../profile/connection.ts";
import { isRecord } from "../render/record.ts";
import { exchange, prepare } from "./exchange.ts";
import { explained, rootOf } from "./refusal.ts";

/** What became of an order, and how that is known. */
export type OrderFate =
  | { readonly fate: "accepted"; readonly evidence: string; readonly result: OrderResult }
  | {
      readonly fate: "rejected";
      readonly evidence: string;
      readonly status: number;
      readonly error: string;
    }
  | { readonly fate: "unknown"; readonly evidence: string };

/** The one place that calls the service as a trader. Every failure is a CliError with its fix. */
export interface TradingService {
  account(): Promise<Account>;
  positions(): Promise<readonly PositionItem[]>;
  pendingOrders(): Promise<readonly PendingOrder[]>;
  trades(): Promise<readonly TradeItem[]>;
  /** Page after page, as they are asked for. */
  payoutPages(): AsyncGenerator<Payouts, void, undefined>;
  instruments(): Promise<readonly InstrumentItem[]>;
  /** Sent once, whatever happens. */
  place(order: OrderRequest): Promise<OrderFate>;
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
    instruments: () => told(readInstruments(credentials, now)),
    place: (order) => placeOnce(() => client.placeOrder(order), credentials),
  };
}

async function placeOnce(
  place: () => Promise<OrderResult>,
  credentials: Credentials,
): Promise<OrderFate> {
  try {
    const result = await place();
    return { fate: "accepted", evidence: "the service answered 200", result };
  } catch (error) {
    if (error instanceof UnknownFateError) {
      return { fate: "unknown", evidence: `${error.message}: ${rootOf(error)}` };
    }
    if (error instanceof RejectedError && error.status < 500) {
      const { status, error: text } = error.rejection;
      const evidence = `the service answered ${status}: ${text}`;
      return { fate: "rejected", evidence, status, error: text };
    }
    throw error instanceof PropgateError ? explained(error, credentials) : error;
  }
}

const INSTRUMENTS = "/api/v1/trading/instruments";

async function readInstruments(
  credentials: Credentials,
  now: () => number,
): Promise<readonly InstrumentItem[]> {
  const request = await prepare(credentials, { method: "GET", target: INSTRUMENTS, nowMs: now() });
  const answer = await exchange(credentials.baseUrl, request);
  if (answer.status === 200 && isRecord(answer.json) && Array.isArray(answer.json.data)) {
    return answer.json.data as readonly InstrumentItem[];
  }
  const error = isRecord(answer.json) ? answer.json.error : null;
  throw new CliError({
    message: `${credentials.baseUrl} answered ${answer.status}: ${typeof error === "string" ? error : "nothing that is known"}`,
    fix: answer.status === 404 ? "This service is older than the command: it lists none." : null,
    exitCode: answer.status >= 500 ? EXIT.unreachable : EXIT.refused,
  });
}
