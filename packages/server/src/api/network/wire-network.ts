import type {
  Account,
  AccrualItem,
  InstrumentItem,
  PayoutItem,
  Payouts,
  PendingOrder,
  PositionItem,
  TradeItem,
} from "@propgate/contract";
import type { AccountId } from "@propgate/core";
import type {
  Origin,
  PayoutsPage,
  PayoutsPosition,
  ReadAt,
  Reading,
} from "../../trading/network/port.ts";
import type { Rejection } from "../gates/facts.ts";
import type { SentOrder } from "../order-body.ts";

export interface PayoutsAnswer {
  readonly items: readonly PayoutItem[];
  /** Where the next page starts; null on the last one. */
  readonly next: PayoutsPosition | null;
  readonly accrualStatus: Payouts["accrualStatus"];
  readonly accrual: AccrualItem | null;
}

/** The answer to an order: `data` of the response as JSON, or why there is none. */
export type OrderAnswer =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly rejection: Rejection };

/**
 * A trading network in the words of the wire, with one method for each endpoint that every network has.
 * The gates have already found the account and checked the key's rights. @rule S4.endpoints
 */
export interface WireNetwork {
  account(at: ReadAt): Promise<Reading<Account>>;
  /** Open positions in the order of opening. */
  positions(at: ReadAt): Promise<Reading<readonly PositionItem[]>>;
  pendingOrders(at: ReadAt): Promise<Reading<readonly PendingOrder[]>>;
  /** Closed trades, newest first. */
  trades(at: ReadAt): Promise<Reading<readonly TradeItem[]>>;
  payouts(at: ReadAt, page: PayoutsPage): Promise<Reading<PayoutsAnswer>>;
  /** What the account may trade, with its limits. */
  instruments(at: ReadAt): Promise<Reading<readonly InstrumentItem[]>>;
  placeOrder(accountId: AccountId, sent: SentOrder, origin: Origin): Promise<OrderAnswer>;
}
