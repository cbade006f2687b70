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

/** The account's network does not have it; the reason is a text for people. */
export interface NotOffered {
  readonly notOffered: string;
}

/** An account that a live stream watches, at one moment. */
export interface LiveReading {
  /** Differs whenever the view's figures do; cheaper than the view. */
  readonly figures: string;
  view(): Promise<AccountStateView | null>;
}

/**
 * Reads accounts for the pages, the operator's calls and the live streams, beside the API's endpoints.
 * A method returns null while the account cannot be read.
 */
export interface AccountReadings {
  /** The account in a list of the pages. */
  choice(entry: AccountSummary): Promise<AccountChoice | null>;
  state(at: ReadAt): Promise<AccountStateView | null>;
  /** Reads several accounts at the same moment. */
  atOneMoment(): (at: ReadAt) => Promise<LiveReading | null>;
  equity(at: ReadAt, window: EquityWindow): Promise<EquityHistory | null>;
  /** Every known point of its whole life, oldest first. */
  equityPoints(at: ReadAt): Promise<readonly EquityPoint[] | null>;
  /** `positionUuid`: as a person sent it. Null when the account has no such trade or open position. */
  fills(at: ReadAt, positionUuid: string): Promise<TradeFills | NotOffered | "unreadable" | null>;
  /** Closed payout cycles, oldest first. */
  cycles(at: ReadAt): Promise<readonly CycleView[] | NotOffered>;
  /** The days of the pro track, oldest first. */
  objectiveDays(at: ReadAt): Promise<readonly ObjectiveDay[] | NotOffered>;
  /** Null when accounts of this network are decided here, so that decisions can be made again; else why not. */
  readonly noDecisions: NotOffered | null;
}

/** An account of a validator among all accounts, as its stored readings say; of any age, so that no list waits. */
export interface LinkedLine {
  readonly item: AccountItem;
  readonly holdings: readonly LinkedHolding[];
}

/** An open position of an account of a validator. */
export interface LinkedHolding {
  readonly pair: string;
  /** Signed value at the mark, USD; null when the validator did not send it. */
  readonly netValue: number | null;
}

export interface LinkedReadingsOfList extends AccountReadings {
  line(entry: LinkedSummary): Promise<LinkedLine>;
}

/** The readings of each network's accounts. */
export interface NetworkReadings {
  readonly embedded: AccountReadings;
  readonly vanta: LinkedReadingsOfList;
}
