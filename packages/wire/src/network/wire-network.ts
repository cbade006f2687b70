import type {
  Account,
  AccrualItem,
  FlattenResult,
  InstrumentItem,
  Linked,
  PayoutItem,
  Payouts,
  PendingOrder,
  PositionItem,
  TradeItem,
  TradesRequest,
} from "@propgate/contract";
import type { AccountId } from "@propgate/core";
import type {
  NetworkName,
  Origin,
  PayoutsPage,
  PayoutsPosition,
  PersonId,
  ReadAt,
  Reading,
  ShownVersion,
} from "@propgate/ledger";
import type { SentOrder } from "../order-body.ts";
import type { Rejection } from "../rejection.ts";

/** The origin of a command that a key has sent. */
export type KeyOrigin = Extract<Origin, { by: "key" }>;

/** A page of payouts in the API's form. The position of the next page is not yet encoded as a cursor. */
export interface PayoutsAnswer {
  readonly items: readonly PayoutItem<Linked>[];
  /** Where the next page starts; null on the last one. */
  readonly next: PayoutsPosition | null;
  readonly accrualStatus: Payouts["accrualStatus"];
  readonly accrual: AccrualItem<Linked> | null;
}

/** A page of closed trades in the API's form. */
export interface TradesAnswer {
  readonly items: readonly TradeItem<Linked>[];
  readonly hasMore: boolean;
}

/** The answer to an order: `data` of the response as JSON, or the rejection of the order. */
export type OrderAnswer =
  | {
      readonly ok: true;
      readonly json: string;
      /**
       * The account's version that has the order; absent for an order at a validator, whose line is written by a later
       * reading.
       */
      readonly shown?: ShownVersion | undefined;
    }
  | { readonly ok: false; readonly rejection: Rejection };

/** The result of a request to close all positions, or why it was rejected. */
export type FlattenAnswer =
  | { readonly ok: true; readonly result: FlattenResult }
  | { readonly ok: false; readonly rejection: Rejection };

/**
 * A trading network with answers in the API's form, with one method for each endpoint that every network has. The gates
 * have already found the account and checked the key's rights. @rule S4.endpoints
 */
export interface WireNetwork {
  account(at: ReadAt): Promise<Reading<Account<Linked>>>;
  /** Open positions in the order of opening. */
  positions(at: ReadAt): Promise<Reading<readonly PositionItem<Linked>[]>>;
  pendingOrders(at: ReadAt): Promise<Reading<readonly PendingOrder[]>>;
  /**
   * All closed trades, newest first, as JSON: pieces of the list without its brackets and the commas between pieces.
   */
  trades(at: ReadAt): Promise<Reading<AsyncIterable<Uint8Array>>>;
  /** A page of closed trades, newest first; null when `after` is not a trade of the account. */
  tradesPage(at: ReadAt, page: TradesRequest): Promise<Reading<TradesAnswer | null>>;
  payouts(at: ReadAt, page: PayoutsPage): Promise<Reading<PayoutsAnswer>>;
  /** The instruments with the account's limits. */
  instruments(at: ReadAt): Promise<Reading<readonly InstrumentItem<Linked>[]>>;
  /** Places an order that was signed with a key. @rule S4.2.fields S2.6 D9.receipts */
  placeOrder(accountId: AccountId, sent: SentOrder, origin: KeyOrigin): Promise<OrderAnswer>;
  /** Closes all open positions for the account's owner. @rule D5.flattenAll */
  flatten(accountId: AccountId, personId: PersonId): Promise<FlattenAnswer>;
}

/** The network for each network name. */
export type WireNetworks = Readonly<Record<NetworkName, WireNetwork>>;
