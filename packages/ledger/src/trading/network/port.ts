import type { TraceParent } from "@propgate/base";
import type {
  AccountId,
  AccountSnapshot,
  AccountState,
  ArmedSwitch,
  DailyReturn,
  Direction,
  Ending,
  ExcessCode,
  ExposureCap,
  FillDifference,
  FundingRates,
  LegRequest,
  LegSize,
  MicroUsd,
  Moment,
  OrderPreview,
  OrderUuid,
  PairId,
  Payout,
  PendingOrder,
  PositionReading,
  PreviewCommand,
  Price,
  Quantity,
  Ratio,
  Refusal,
  ShortfallCode,
  Size,
  StayReason,
  TraderCommand,
  UnixMs,
} from "@propgate/core";
import type { PersonId } from "../../storage/rows/person-id.ts";
import type { ClosedTrade } from "../../storage/stores/trade-store.ts";
import type { OwnerAccounts } from "../owner-limits.ts";

/** An account, and the min version of it that the answer must show. */
export interface ReadAt {
  readonly accountId: AccountId;
  readonly version: number;
  /** The first half of the hash of that version's line, in hexadecimal; undefined or null when it is not known. */
  readonly headHash?: string | null | undefined;
}

/** The version of an account that an answer shows. @rule D9.accountVersion */
export interface ShownVersion {
  readonly version: number;
  /** The hash of that version's line; absent when only the version is known. */
  readonly headHash?: Uint8Array | undefined;
}

/** A reading of the network. Failures of the outside world are values. */
export type Reading<Value> =
  | {
      readonly ok: true;
      readonly value: Value;
      /** The version that the value shows exactly; absent when it is not known. */
      readonly shown?: ShownVersion | undefined;
    }
  /** `unreachable`: no network (503). `upstream`: the trade history answered with an error (502). */
  | { readonly ok: false; readonly error: "unreachable" }
  | { readonly ok: false; readonly error: "upstream"; readonly message: string };

export interface AccountReading {
  readonly snapshot: AccountSnapshot;
  /** One for each full UTC day of the account's life, oldest first; empty when unreadable. */
  readonly dailyReturns: readonly DailyReturn[];
  /** The owner's accounts that are neither eliminated nor closed, and how many are allowed; null when unreadable. */
  readonly ownerAccounts: OwnerAccounts | null;
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
  /** Null on every page after the first, and while the account's state cannot be read. */
  readonly accrual: Accrual | null;
}

/** Trades after one line of the journal, and before another one or before a trade that its id names. */
export interface TradesPage {
  readonly newerThan: number;
  readonly olderThan: number | { readonly tradeId: string } | null;
  readonly limit: number;
}

/** A cursor, newest first: the page continues strictly behind this cycle. */
export interface PayoutsPosition {
  readonly periodStartMs: UnixMs;
  readonly id: string;
}

export interface PayoutsPage {
  readonly limit: number;
  /** Null for the first page. */
  readonly after: PayoutsPosition | null;
}

/** The sender of a command, recorded in the journal. */
export type Origin =
  | {
      readonly by: "key";
      readonly keyId: string;
      readonly nonce: string;
      /** The time that the nonce was stored with; the order's receipt shows it. */
      readonly admittedAtMs: UnixMs;
      /** The request's span, for the node or the validator that gets the order; undefined without traces. */
      readonly trace?: TraceParent | undefined;
    }
  /** A person signed in as the account's owner. */
  | { readonly by: "owner"; readonly personId: PersonId }
  | { readonly by: "operator" | "market" | "clock" };

/** A leg of an accepted order. */
export interface ReceiptLeg extends LegRequest {
  /** Null until the order has filled and attached it. @rule D10.legIds */
  readonly orderUuid: OrderUuid | null;
}

/** The state of an accepted order. */
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
      readonly bindingCap: ExposureCap | null;
      /** @rule D12.shortfall */
      readonly shortfall: FillDifference<ShortfallCode> | null;
      /** @rule D12.shortfall */
      readonly excess: FillDifference<ExcessCode> | null;
      /** @rule D12.marketReduces */
      readonly reduceOnly: boolean;
      /** Null when no legs were attached. */
      readonly legs: readonly ReceiptLeg[] | null;
    }
  | {
      readonly filled: false;
      readonly order: PendingOrder;
      /** The size as sent: no other is known before the fill. */
      readonly size: Size | LegSize | null;
      /**
       * The legs that a pending entry will attach, or that a bracket attached; null without legs.
       */
      readonly legs: readonly ReceiptLeg[] | null;
    };

export interface StayedPosition {
  readonly pair: PairId;
  readonly why: StayReason;
}

export interface OrderReceipt {
  /**
   * The new order's id; for a bracket its first leg's; for a cancel the cancelled ids,
   * comma-separated; for a flatten the positions' ids.
   */
  readonly orderUuid: string;
  readonly outcome:
    | "filled"
    | "resting"
    | "edited"
    | "cancelled"
    | "flattened"
    /** Some positions were closed, others are still open. */
    | "partlyFlattened";
  /**
   * The result of a cancel or a flatten; null for every other order. `notFound`: ids that are no
   * longer open.
   */
  readonly note:
    | null
    | {
        readonly kind: "cancelled";
        readonly count: number;
        readonly notFound: readonly string[];
        /** Pairs whose position has no stop after a cancel of all. @rule D13.nakedNamed */
        readonly withoutStop: readonly PairId[];
      }
    | {
        readonly kind: "flattened";
        readonly closed: readonly PairId[];
        /** Positions whose market is closed or has no fresh quote; they are still open. */
        readonly stayed: readonly StayedPosition[];
        readonly notFound: readonly string[];
      };
  /** How the account or its step ended in the order's own moment; null when it did not. @rule D13.ended */
  readonly ended: Ending | null;
  /** Null for a cancel and a flatten. */
  readonly order: OrderRecord | null;
  readonly processingMs: number;
}

/** The answer to an order of a linked account as JSON. */
export interface RenderedReceipt {
  /** `data` of the response. */
  readonly sent: string;
  /** The same as the database stores it. */
  readonly stored: string;
}

/** The result of arming or ending a dead man's switch. @rule D9.cancelAllAfter */
export interface SwitchReceipt {
  readonly outcome: "switched";
  /** Null when the account has no switch now. */
  readonly armed: ArmedSwitch | null;
  readonly processingMs: number;
}

export type TraderReceipt = OrderReceipt | SwitchReceipt;

export type Placement =
  | {
      readonly ok: true;
      readonly receipt: TraderReceipt;
      readonly shown?: ShownVersion | undefined;
    }
  | { readonly ok: false; readonly refusal: Refusal }
  /** The command may or may not have been carried out: the client must read to find out. */
  | { readonly ok: false; readonly error: "unknownFate" }
  /** The order did not reach the network: nothing happened. @rule D5.networkDown */
  | { readonly ok: false; readonly error: "networkDown" }
  /** No node that is ready owns the account, because it is changing nodes: nothing happened. @rule D5.networkDown */
  | { readonly ok: false; readonly error: "ownerChanging" }
  /**
   * The order was overdue, and its receipt already says that it is not carried out.
   * @rule D9.receipts
   */
  | { readonly ok: false; readonly error: "notCarriedOut" };

/** An account's state with the market at one moment. */
export interface MarketReading {
  readonly state: AccountState;
  readonly moment: Moment;
  readonly funding: FundingRates;
}

export type Previewing =
  | Reading<OrderPreview>
  | { readonly ok: false; readonly error: "refused"; readonly refusal: Refusal };

/** A reading, without a wait when the account's state is in memory. */
export type PromptReading<Value> = Reading<Value> | Promise<Reading<Value>>;

/**
 * The trading network as the API sees it, with one method for each endpoint. The gates have already
 * found the account and checked the key's rights.
 */
export interface TradingNetwork {
  account(at: ReadAt): Promise<Reading<AccountReading>>;
  positions(at: ReadAt): PromptReading<readonly PositionReading[]>;
  pendingOrders(at: ReadAt): PromptReading<readonly PendingOrder[]>;
  /** Closed trades, newest first; null when `olderThan` names no trade of the account. */
  trades(at: ReadAt, page: TradesPage): Promise<Reading<readonly ClosedTrade[] | null>>;
  payouts(at: ReadAt, page: PayoutsPage): Promise<Reading<PayoutsReading>>;
  /** The account with the catalogue, the quotes and the time. */
  market(at: ReadAt): PromptReading<MarketReading>;
  /** The effect that the order would have now; records nothing. */
  preview(at: ReadAt, command: PreviewCommand): Promise<Previewing>;
  /** An order, an edit, a cancel, a flatten, or a change of the dead man's switch. */
  carryOut(accountId: AccountId, command: TraderCommand, origin: Origin): Promise<Placement>;
}
