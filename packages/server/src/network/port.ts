import type {
  AccountId,
  AccountSnapshot,
  AccountState,
  DailyReturn,
  Direction,
  LegSize,
  MicroUsd,
  Moment,
  OrderPreview,
  OrderUuid,
  PairId,
  Payout,
  PositionReading,
  PreviewCommand,
  Price,
  Quantity,
  Ratio,
  Refusal,
  RestingOrder,
  Size,
  Trade,
  TraderCommand,
  Trailing,
  UnixMs,
} from "@propgate/core";
import type { PersonId } from "../people/person.ts";

/** Which account, and the least version of it that the answer must show. */
export interface ReadAt {
  readonly accountId: AccountId;
  readonly version: number;
}

/** The world may fail, and says so as a value. */
export type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  /** `unreachable`: no network (503). `upstream`: the trade history answered with an error (502). */
  | { readonly ok: false; readonly error: "unreachable" }
  | { readonly ok: false; readonly error: "upstream"; readonly message: string };

export interface AccountReading {
  readonly snapshot: AccountSnapshot;
  /** One a full UTC day of the account's life, oldest first; empty when they could not be read. */
  readonly dailyReturns: readonly DailyReturn[];
  /** The owner's accounts that are neither eliminated nor closed, and how many there may be. */
  readonly ownerAccounts: { readonly active: number; readonly most: number };
  /** True when a secondary source failed and its figures are placeholders. */
  readonly stale: boolean;
  readonly generatedAtMs: UnixMs;
  readonly version: number;
}

/** The estimate for the cycle in progress. */
export interface Accrual {
  readonly estimatedAmount: MicroUsd | null;
  readonly windowStartMs: UnixMs | null;
  readonly asOfMs: UnixMs;
  readonly priorUnpaidAmount: MicroUsd;
  readonly earliestUnpaidPeriodStartMs: UnixMs | null;
  readonly deferredBalance: MicroUsd | null;
}

export interface PayoutsReading {
  readonly items: readonly Payout[];
  /** Where the next page starts; null on the last one. */
  readonly next: PayoutsPosition | null;
  readonly accrualStatus: "ok" | "not_applicable" | "unavailable" | "omitted";
  /** Null on every page after the first. */
  readonly accrual: Accrual | null;
}

/** Newest first: the page continues strictly behind this cycle. */
export interface PayoutsPosition {
  readonly periodStartMs: UnixMs;
  readonly id: string;
}

export interface PayoutsPage {
  readonly limit: number;
  /** Null: the first page. */
  readonly after: PayoutsPosition | null;
}

/** Who sent a command: remembered in the journal. */
export type Origin =
  | { readonly by: "key"; readonly keyId: string; readonly nonce: string }
  /** Somebody who is signed in as the account's owner. */
  | { readonly by: "owner"; readonly personId: PersonId }
  | { readonly by: "operator" | "market" | "clock" };

/**
 * Who sends an order. `resultText` writes what its sender is answered, as a receipt keeps it; of an
 * order that comes with a key it is committed with the order.
 */
export type Sender = Origin & { readonly resultText?: (receipt: OrderReceipt) => string };

export interface AttachedLeg {
  readonly orderUuid: OrderUuid;
  readonly stopLoss: Price | null;
  readonly takeProfit: Price | null;
  readonly trailing: Trailing | null;
  readonly size: LegSize | null;
}

/** What an accepted order has become. */
export type OrderRecord =
  | {
      readonly filled: true;
      readonly orderUuid: OrderUuid;
      readonly pair: PairId;
      readonly direction: Direction | "flat";
      readonly price: Price;
      readonly slippage: Ratio;
      readonly quantity: Quantity;
      readonly value: MicroUsd;
      readonly leverage: number;
      readonly realizedPnl: MicroUsd;
      readonly fee: MicroUsd;
      readonly processedMs: UnixMs;
      readonly bindingCap: string | null;
      /** Null when none were attached. */
      readonly legs: readonly AttachedLeg[] | null;
    }
  | {
      readonly filled: false;
      readonly order: RestingOrder;
      /** Only the size that was sent is known until it fills. */
      readonly size: Size | LegSize | null;
      readonly processedMs: UnixMs;
      /** The legs that a resting entry will attach, or that a bracket has attached; null: none. */
      readonly legs: readonly AttachedLeg[] | null;
    };

export interface OrderReceipt {
  /** The new order's id; of a bracket its legs', of a cancel the cancelled ids, comma-separated; of a flatten, the positions'. */
  readonly orderUuid: string;
  readonly outcome: "filled" | "resting" | "edited" | "cancelled" | "flattened";
  /** What a reader should know beyond that; null when there is nothing. */
  readonly note:
    | null
    | { readonly kind: "nothingToCancel" }
    | { readonly kind: "nothingOpen" }
    | { readonly kind: "cancelled"; readonly count: number }
    | {
        readonly kind: "flattened";
        readonly closed: readonly PairId[];
        /** Their market was closed or had no fresh quote; they stay open. */
        readonly stayed: readonly { readonly pair: PairId; readonly why: string }[];
      };
  /** Null for a cancel and a flatten. */
  readonly order: OrderRecord | null;
  readonly processingMs: number;
}

export type Placement =
  | { readonly ok: true; readonly value: OrderReceipt }
  | { readonly ok: false; readonly refusal: Refusal }
  /** The command may or may not have been carried out: the client has to look. */
  | { readonly ok: false; readonly error: "unknownFate" }
  /** It did not reach the network: nothing happened. @rule D5.networkDown */
  | { readonly ok: false; readonly error: "networkDown" }
  /** It was overdue, and somebody has been told that it is not carried out. @rule D9.receipts */
  | { readonly ok: false; readonly error: "notCarriedOut" };

/** What an account may trade, and at which moment. */
export interface MarketReading {
  readonly state: AccountState;
  readonly moment: Moment;
}

export type Previewing =
  | Reading<OrderPreview>
  | { readonly ok: false; readonly error: "refused"; readonly refusal: Refusal };

/**
 * The trading network as the API sees it: one method per endpoint. The account has been found and
 * may be read; who may do what is the gates' matter.
 */
export interface TradingNetwork {
  account(at: ReadAt): Promise<Reading<AccountReading>>;
  positions(at: ReadAt): Promise<Reading<readonly PositionReading[]>>;
  pendingOrders(at: ReadAt): Promise<Reading<readonly RestingOrder[]>>;
  /** Closed trades, newest first. */
  trades(at: ReadAt): Promise<Reading<readonly Trade[]>>;
  payouts(at: ReadAt, page: PayoutsPage): Promise<Reading<PayoutsReading>>;
  /** The account with the catalogue, the quotes and the time. */
  market(at: ReadAt): Promise<Reading<MarketReading>>;
  /** What the order would do now; records nothing. */
  preview(at: ReadAt, command: PreviewCommand): Promise<Previewing>;
  placeOrder(accountId: AccountId, command: TraderCommand, sender: Sender): Promise<Placement>;
}
