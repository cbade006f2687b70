import {
  type Account,
  type CandleItem,
  type CandlesRequest,
  type EventCursor,
  type EventsPage,
  type EventsRequest,
  eventCursor,
  type Fills,
  type HistoryRequest,
  type InstrumentItem,
  type Linked,
  type OrderLife,
  type Payouts,
  type PendingOrder,
  type PositionItem,
  type SwitchActionWord,
  type SwitchResult,
  type TradeItem,
} from "@propgate/contract";
import {
  type AccountEvent,
  createClient,
  type EventStreamOptions,
  type EventStreamQuery,
  type OrderCallOptions,
  type OrderOutcome,
  type OrderRequest,
  payoutPages,
  UnexpectedAnswerError,
} from "@propgate/sdk";
import type { Credentials } from "../profile/connection.ts";
import { asCliError } from "./refusal.ts";

/** Calls the service with a trader's key. Every failure of the service is thrown as a CliError with its remedy. */
export interface TradingService {
  account(): Promise<Account<Linked>>;
  positions(): Promise<readonly PositionItem<Linked>[]>;
  pendingOrders(): Promise<readonly PendingOrder[]>;
  trades(): Promise<readonly TradeItem<Linked>[]>;
  /** The pages of payouts. Each is read when it is consumed. */
  payoutPages(): AsyncGenerator<Payouts<Linked>, void, undefined>;
  instruments(): Promise<readonly InstrumentItem<Linked>[]>;
  candles(request: CandlesRequest): Promise<readonly CandleItem[]>;
  events(request: EventsRequest): Promise<EventsPage<Linked>>;
  /**
   * Each event as it happens, until the signal aborts or the account is closed. With `until` the stream ends at the
   * newest event.
   */
  eventStream(
    query: EventStreamQuery,
    options: Pick<EventStreamOptions, "signal" | "until">,
  ): AsyncGenerator<AccountEvent<Linked>>;
  /** The life of the order with all its events, whose pages are read one after the other. */
  order(orderUuid: string): Promise<OrderLife<Linked>>;
  fills(request: HistoryRequest): Promise<Fills<Linked>>;
  /** Arms the dead man's switch. With 0 seconds it ends the switch. */
  cancelAllAfter(seconds: number, action: SwitchActionWord): Promise<SwitchResult>;
  /** Sends the order only once; `options` may report its steps and abort it. */
  place(order: OrderRequest, options?: OrderCallOptions): Promise<OrderOutcome>;
  /** Finds out the fate of the order with this nonce; an order that has not arrived is withdrawn. */
  settle(nonce: string, options?: OrderCallOptions): Promise<OrderOutcome>;
}

const MS_PER_SECOND = 1_000;

/** The number of payouts in a page: the maximum, so that few reads are needed. */
const PAGE_SIZE = 200;

export function openTradingService(credentials: Credentials, now: () => number): TradingService {
  const { baseUrl, keyId, secret, brand } = credentials;
  const client = createClient<Linked>({ baseUrl, keyId, secret, brand, now });
  const explainFailure = <Value>(work: Promise<Value>): Promise<Value> =>
    work.catch((error: unknown) => {
      throw asCliError(error, credentials);
    });
  return {
    account: () => explainFailure(client.account()),
    positions: () => explainFailure(client.positions()),
    pendingOrders: () => explainFailure(client.pendingOrders()),
    trades: () => explainFailure(client.trades()),
    async *payoutPages() {
      try {
        yield* payoutPages(client, { pageSize: PAGE_SIZE });
      } catch (error) {
        throw asCliError(error, credentials);
      }
    },
    instruments: () => explainFailure(client.instruments()),
    candles: ({ pair, interval, afterMs, limit }) => {
      const after = afterMs === null ? {} : { after: afterMs };
      return explainFailure(client.candles({ tradePair: pair, interval, limit, ...after }));
    },
    events: ({ after, limit, types, waitMs, hasProof }) => {
      const query = {
        after: cursorText(after),
        limit,
        wait: waitMs / MS_PER_SECOND,
        ...(types === null ? {} : { types: [...types] }),
        ...(hasProof ? { proof: true } : {}),
      };
      return explainFailure(client.eventsPage(query));
    },
    async *eventStream(query, options) {
      try {
        yield* client.events(query, options);
      } catch (error) {
        throw asCliError(error, credentials);
      }
    },
    async order(orderUuid) {
      let life = await explainFailure(client.order(orderUuid));
      // An older service sends the whole life of an order in one answer, without `next`.
      while (typeof life.next === "string") {
        const { events, next: after } = life;
        const page = await explainFailure(client.order(orderUuid, { after }));
        // A page that names itself as the next one would be read without end.
        if (page.next === after) throw asCliError(new UnexpectedAnswerError(200), credentials);
        life = { ...page, events: [...events, ...page.events] };
      }
      return life;
    },
    fills: ({ after, limit, pair, sinceMs }) =>
      explainFailure(
        client.fills({
          limit,
          ...(after === null ? {} : { after: cursorText(after) }),
          ...(pair === null ? {} : { tradePair: pair }),
          ...(sinceMs === null ? {} : { since: sinceMs }),
        }),
      ),
    cancelAllAfter: (seconds, action) => explainFailure(client.cancelAllAfter(seconds, { action })),
    place: (order, options) => explainFailure(client.placeOrder(order, options)),
    settle: (nonce, options) => explainFailure(client.settle(nonce, options)),
  };
}

function cursorText({ sequence, hash }: EventCursor): string {
  return hash === null ? String(sequence) : eventCursor(sequence, hash);
}
