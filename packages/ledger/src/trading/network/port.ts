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

/** An account, and the lowest version of it that the answer may show. */
export interface ReadAt {
  readonly accountId: AccountId;
  readonly version: number;
  /**
   * The first half of the hash of the line with that version, in hexadecimal; undefined or null when it is not known.
   */
  readonly headHash?: string | null | undefined;
}

/** The version of an account that an answer shows. @rule D9.accountVersion */
export interface ShownVersion {
  readonly version: number;
  /** The hash of the line with that version; absent when only the version is known. */
  readonly headHash?: Uint8Array | undefined;
}

/** A reading of the network. A failure outside this process is a value and not an exception. */
export type Reading<Value> =
  | {
      readonly ok: true;
      readonly value: Value;
      /** The version that the value shows exactly; absent when that is not known. */
      readonly shown?: ShownVersion | undefined;
    }
  /** `unreachable`: the network cannot be reached (503). `upstream`: the trade history answered with an error (502). */
  | { readonly ok: false; readonly error: "unreachable" }
  | { readonly ok: false; readonly error: "upstream"; readonly message: string };

/** The figures of an account, as its endpoint shows them. */
export interface AccountReading {
  readonly snapshot: AccountSnapshot;
  /** The return of each UTC day of the account's life that has ended, oldest first; empty when they cannot be read. */
  readonly dailyReturns: readonly DailyReturn[];
  /** The owner's accounts that are neither eliminated nor closed, and their maximum; null when these cannot be read. */
  readonly ownerAccounts: OwnerAccounts | null;
  /**
   * True when some figures are placeholders: a secondary source failed, or a position's pair is not in the catalogue.
   */
  readonly stale: boolean;
  readonly generatedAtMs: UnixMs;
  readonly version: number;
}

/** The estimate for the cycle in progress, and the amounts of closed cycles that are unpaid or deferred. */
export interface Accrual {
  readonly estimatedAmount: MicroUsd | null;
  readonly windowStartMs: UnixMs | null;
  readonly asOfMs: UnixMs;
  readonly priorUnpaidAmount: MicroUsd;
  readonly earliestUnpaidPeriodStartMs: UnixMs | null;
  readonly deferredBalance: MicroUsd | null;
}

/** A page of payouts, and on the first page the cycle in progress. */
export interface PayoutsReading {
  readonly items: readonly Payout[];
  /** The cursor after which the next page continues; null on the last page. */
  readonly next: PayoutsPosition | null;
  readonly accrualStatus: "ok" | "not_applicable" | "unavailable" | "omitted";
  /** Null on every page after the first, and when the account's state cannot be read. */
  readonly accrual: Accrual | null;
}

/**
 * Selects the newest `limit` trades that were closed after one journal line, and before another line or before the
 * trade with the given id. A null `olderThan` is no limit.
 */
export interface TradesPage {
  readonly newerThan: number;
  readonly olderThan: number | { readonly tradeId: string } | null;
  readonly limit: number;
}

/**
 * A cursor of the list of payouts, which is sorted newest first: the page after it begins with the next older payout.
 */
export interface PayoutsPosition {
  readonly periodStartMs: UnixMs;
  readonly id: string;
}

/** A page of at most `limit` payouts. */
export interface PayoutsPage {
  readonly limit: number;
  /** Null for the first page. */
  readonly after: PayoutsPosition | null;
}

/** The sender of a command. The journal records it. */
export type Origin =
  | {
      readonly by: "key";
      readonly keyId: string;
      readonly nonce: string;
      /** The time that is stored with the nonce. The order's receipt shows it. */
      readonly admittedAtMs: UnixMs;
      /** The span of the request, for the node or the validator that gets the order; undefined without traces. */
      readonly trace?: TraceParent | undefined;
    }
  /** A person who is signed in as the account's owner. */
  | { readonly by: "owner"; readonly personId: PersonId }
  | { readonly by: "operator" | "market" | "clock" };

/** A leg of an accepted order. */
export interface ReceiptLeg extends LegRequest {
  /** Null until the entry has filled and attached the leg. @rule D10.legIds */
  readonly orderUuid: OrderUuid | null;
}

/** An accepted order: its fill when it has filled, otherwise the pending order. */
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
      /** Why and by how much the fill is smaller than the order's size; null when it is not. @rule D12.shortfall */
      readonly shortfall: FillDifference<ShortfallCode> | null;
      /** Why and by how much the fill is larger than the order's size; null when it is not. @rule D12.shortfall */
      readonly excess: FillDifference<ExcessCode> | null;
      /** True for a market order that could only reduce. @rule D12.marketReduces */
      readonly reduceOnly: boolean;
      /** Null when no legs were attached. */
      readonly legs: readonly ReceiptLeg[] | null;
    }
  | {
      readonly filled: false;
      readonly order: PendingOrder;
      /** The size as it was sent. No other size is known before the fill. */
      readonly size: Size | LegSize | null;
      /** The legs that a pending entry will attach, or that a bracket attached; null without legs. */
      readonly legs: readonly ReceiptLeg[] | null;
    };

/** A position that a flatten could not close, and why. */
export interface UnclosedPosition {
  readonly pair: PairId;
  readonly why: StayReason;
}

/** The facts of the answer to an accepted order. */
export interface OrderReceipt {
  /**
   * The id of the new order. A bracket has the id of its first leg here, a cancel the cancelled ids and a flatten the
   * ids of the closed positions, both separated by commas.
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
   * The result of a cancel or a flatten; null for every other order. `notFound` are the given ids of orders or
   * positions that are not open.
   */
  readonly note:
    | null
    | {
        readonly kind: "cancelled";
        readonly count: number;
        readonly notFound: readonly string[];
        /** After a cancel of all orders, the pairs of positions without a stop; else empty. @rule D13.nakedNamed */
        readonly withoutStop: readonly PairId[];
      }
    | {
        readonly kind: "flattened";
        readonly closed: readonly PairId[];
        /**
         * The positions that are still open, each with the reason: its market is closed, its quote is not fresh, its
         * conversion rate is unknown, or the catalogue lacks its pair.
         */
        readonly stayed: readonly UnclosedPosition[];
        readonly notFound: readonly string[];
      };
  /** Whether the account was eliminated or passed its challenge with this order; null when neither. @rule D13.ended */
  readonly ended: Ending | null;
  /** The order; null for a cancel and a flatten. */
  readonly order: OrderRecord | null;
  readonly processingMs: number;
}

/** The answer to an order of a linked account, as JSON. */
export interface RenderedReceipt {
  /** The JSON of `data` in the response. */
  readonly sent: string;
  /** The JSON in the form that the database stores. */
  readonly stored: string;
}

/** The result of arming or ending a dead man's switch. @rule D9.cancelAllAfter */
export interface SwitchReceipt {
  readonly outcome: "switched";
  /** The account's switch after the request; null when it has none. */
  readonly armed: ArmedSwitch | null;
  readonly processingMs: number;
}

export type TraderReceipt = OrderReceipt | SwitchReceipt;

/** The result of a trader's command: its receipt, the refusal of the network, or an error of the way to the network. */
export type Placement =
  | {
      readonly ok: true;
      readonly receipt: TraderReceipt;
      readonly shown?: ShownVersion | undefined;
    }
  | { readonly ok: false; readonly refusal: Refusal }
  /** The command may or may not have been carried out. The client must read to find out. */
  | { readonly ok: false; readonly error: "unknownFate" }
  /** The order did not reach the network, so it had no effect. @rule D5.networkDown */
  | { readonly ok: false; readonly error: "networkDown" }
  /**
   * No node is ready for the account, because it is moving between nodes. The order had no effect. @rule D5.networkDown
   */
  | { readonly ok: false; readonly error: "ownerChanging" }
  /**
   * The command was not and will not be carried out, such as an overdue order whose receipt was closed.
   * @rule D9.receipts
   */
  | { readonly ok: false; readonly error: "notCarriedOut" };

/** An account's state with the market at one moment, and the funding rates. */
export interface MarketReading {
  readonly state: AccountState;
  readonly moment: Moment;
  readonly funding: FundingRates;
}

/** A preview of an order, or why there is none: the reading failed, or the network would refuse the order. */
export type PreviewReading =
  | Reading<OrderPreview>
  | { readonly ok: false; readonly error: "refused"; readonly refusal: Refusal };

/** A reading, given without a promise when the account's state is in memory. */
export type PromptReading<Value> = Reading<Value> | Promise<Reading<Value>>;

/**
 * The trading network as the API uses it, with one method for each endpoint. The gates have already found the account
 * and checked the key's rights.
 */
export interface TradingNetwork {
  account(at: ReadAt): Promise<Reading<AccountReading>>;
  positions(at: ReadAt): PromptReading<readonly PositionReading[]>;
  pendingOrders(at: ReadAt): PromptReading<readonly PendingOrder[]>;
  /** The page of closed trades, newest first; null when `olderThan` names no trade of the account. */
  trades(at: ReadAt, page: TradesPage): Promise<Reading<readonly ClosedTrade[] | null>>;
  payouts(at: ReadAt, page: PayoutsPage): Promise<Reading<PayoutsReading>>;
  /** The account with the catalogue, the quotes, the time and the funding rates. */
  market(at: ReadAt): PromptReading<MarketReading>;
  /** The effect that the order would have at this moment. The order is not recorded. */
  preview(at: ReadAt, command: PreviewCommand): Promise<PreviewReading>;
  /** Carries out an order, an edit, a cancel, a flatten, or a change of the dead man's switch. */
  carryOut(accountId: AccountId, command: TraderCommand, origin: Origin): Promise<Placement>;
}
