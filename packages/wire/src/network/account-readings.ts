import type {
  AccountChoice,
  AccountStateView,
  CycleView,
  EquityHistory,
  EquityPoint,
  EquityWindow,
  ObjectiveDay,
  TradeFills,
} from "@propgate/contract";
import type { AccountSummary, LinkedSummary, ReadAt } from "@propgate/ledger";
import type { AccountItem } from "../views/account-item.ts";

/**
 * The account's network, or this service, does not offer a reading or an operator's call. `notOffered` is the reason as
 * a text for people.
 */
export interface NotOffered {
  readonly notOffered: string;
}

/** The account of a live stream at one moment. */
export interface LiveReading {
  /** A text that differs whenever the view's figures do. It is cheaper than the view. */
  readonly figures: string;
  view(): Promise<AccountStateView | null>;
}

/**
 * Reads accounts for the pages, the operator's calls and the live streams, in addition to the API's endpoints. Null
 * means that the account cannot be read at present, unless the method says otherwise.
 */
export interface AccountReadings {
  /** The account in the list from which a person chooses one on the pages. */
  accountChoice(account: AccountSummary): Promise<AccountChoice | null>;
  state(at: ReadAt): Promise<AccountStateView | null>;
  /** Returns a function that reads several accounts at one moment. */
  atOneMoment(): (at: ReadAt) => Promise<LiveReading | null>;
  equity(at: ReadAt, window: EquityWindow): Promise<EquityHistory | null>;
  /** Every known point of the account's whole life, oldest first. */
  equityPoints(at: ReadAt): Promise<readonly EquityPoint[] | null>;
  /**
   * `positionUuid` is the text that a person sent. Null when the account has no such trade or open position;
   * `unreadable` while the account cannot be read.
   */
  fills(at: ReadAt, positionUuid: string): Promise<TradeFills | NotOffered | "unreadable" | null>;
  /** Closed payout cycles, oldest first. */
  cycles(at: ReadAt): Promise<readonly CycleView[] | NotOffered>;
  /** The full days of the pro track with their objectives, oldest first. */
  objectiveDays(at: ReadAt): Promise<readonly ObjectiveDay[] | NotOffered>;
  /**
   * Null when the service decides this network's accounts itself, so that decisions can be made again; else the reason
   * why not.
   */
  readonly noDecisionsReason: NotOffered | null;
}

/** A linked account in the list of all accounts. It is made from stored readings of any age, so that no list waits. */
export interface LinkedAccountRow {
  readonly item: AccountItem;
  readonly holdings: readonly LinkedHolding[];
}

/** An open position of a linked account. */
export interface LinkedHolding {
  readonly pair: string;
  /** Signed value at the mark, USD; null when the validator did not send it. */
  readonly netValue: number | null;
}

/** The readings of linked accounts. `accountRow` makes the account's row in the list of all accounts. */
export interface LinkedAccountReadings extends AccountReadings {
  accountRow(account: LinkedSummary): Promise<LinkedAccountRow>;
}

/** The readings of each network's accounts. */
export interface NetworkReadings {
  readonly embedded: AccountReadings;
  readonly vanta: LinkedAccountReadings;
}
