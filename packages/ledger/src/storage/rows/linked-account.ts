import type { AccountId, AccountStatus, OwnerId, UnixMs } from "@propgate/core";
import type { NewLine } from "../journal/append-lines.ts";
import type { OrderRequestId } from "./upstream-order.ts";

/** A subaccount to link. */
export interface NewLink {
  readonly accountId: AccountId;
  readonly ownerId: OwnerId;
  /** `<entity's hotkey>_<subaccount's number>`: the network's id of the subaccount. */
  readonly hotkey: string;
  readonly subaccountId: number;
  readonly subaccountUuid: string;
  /** The trader's share of a payout, a ratio: the validator pays out gross. */
  readonly profitSplit: number;
  readonly status: AccountStatus;
  readonly linkedAtMs: UnixMs;
}

/** An account on the validator, with its stored readings. */
export interface LinkedAccount extends NewLink {
  /** The number of lines of its journal. */
  readonly version: number;
  /** The hash of the newest line. */
  readonly headHash: Uint8Array;
  /** Our own number: it increases with every stored change and every order that ends. */
  readonly revision: number;
  /** The stored readings as JSON of `vanta/dashboard/`; null before the first reading. */
  readonly readings: string | null;
  /** Display forms of the pairs in which the readings have positions or orders. */
  readonly pairs: readonly string[];
  /** When the request for the stored readings began; null before the first. */
  readonly readAtMs: UnixMs | null;
  /**
   * When an order was last sent or ended; it increases with each. Readings whose request began before are not shown.
   */
  readonly behindSinceMs: UnixMs | null;
  /** Since when every reading has failed; null while they succeed. */
  readonly failingSinceMs: UnixMs | null;
}

/** Items that the network sends once, or that are too many for the readings. */
export type LinkedRecordKind =
  | "closedPosition"
  | "closedOrder"
  | "checkpoint"
  | "dailyReturn"
  | "payout";

export interface LinkedRecord {
  readonly kind: LinkedRecordKind;
  /** Unique within the account and kind; a later record of the same id replaces it. */
  readonly id: string;
  /** Whole milliseconds. */
  readonly atMs: number;
  /** JSON. */
  readonly body: string;
}

/** A pair by its display form, and how many accounts have a position or an order in it. */
export interface OpenPair {
  readonly pair: string;
  readonly accounts: number;
}

/** An order of this service that a reading may show. */
export interface OwnOrder {
  readonly orderUuid: string;
  readonly request: OrderRequestId | null;
  /** As in `NewUpstreamOrder`. */
  readonly command: string;
  /** False once its end is stored. */
  readonly isSending: boolean;
}

/** The account's journal and records before a reading, as far as its lines depend on them. */
export interface KnownBefore {
  /** False when another process has taken the lease: then the reading counts only by its new records. */
  readonly isHeld: boolean;
  /** Whether the record was not stored before. */
  readonly isNew: (record: Pick<LinkedRecord, "kind" | "id">) => boolean;
  /** Those of the reading's orders whose fill has a line. */
  readonly filled: ReadonlySet<string>;
  /** This service's orders on their way, and those of the reading's orders. */
  readonly own: readonly OwnOrder[];
}

/** The lines of a reading. They depend on what the journal has, so they are made while its account is locked. */
export interface ReadingLines {
  /** The orders of which there may be a line. A reading of everything repeats many records that are stored. */
  orders(isNew: KnownBefore["isNew"]): readonly string[];
  make(known: KnownBefore): readonly NewLine[];
}

/** The result of one poll. */
export interface ReadingWrite {
  readonly accountId: AccountId;
  /** The process that holds the lease. */
  readonly holder: string;
  readonly readings: string;
  /** The same fields as in `LinkedAccount`; stored only with readings that changed. */
  readonly pairs: readonly string[];
  readonly readAtMs: UnixMs;
  /** As it was when the lease was taken. */
  readonly behindSinceMs: UnixMs | null;
  /** Does not change an account that is closed. */
  readonly status: AccountStatus;
  /** When two have the same kind and id, the later one in the list counts. */
  readonly records: readonly LinkedRecord[];
  /** Null for a reading of which no line can follow. */
  readonly lines: ReadingLines | null;
}

/**
 * Linked accounts, their readings and records. Leases are measured by the database's clock. Texts may contain
 * anything: a NUL character, which PostgreSQL cannot store, becomes U+FFFD.
 */
export interface LinkedAccountStore {
  /**
   * Its journal begins with the line. `linkedBefore`: this subaccount has an account already, also one that was closed.
   */
  link(link: NewLink, opening: NewLine): Promise<"linked" | "linkedBefore">;
  /**
   * Closes the account for ever; the subaccount stays linked to it. Its journal ends with the line. False when it is
   * closed or not linked.
   */
  close(accountId: AccountId, closing: NewLine): Promise<boolean>;
  find(accountId: AccountId): Promise<LinkedAccount | null>;
  /** Whether the subaccount has an account, also one that was closed. */
  isLinked(hotkey: string): Promise<boolean>;
  /**
   * The accounts that are neither closed nor eliminated, were neither read nor tried since that moment, and are not
   * being read now, least recently tried first. So an account whose readings fail waits like the others.
   */
  unreadSince(before: UnixMs, limit: number): Promise<readonly AccountId[]>;
  /**
   * Takes the lease, or extends the holder's own. Null when another process holds it, or there is no such
   * linked account. When the time of another holder is over, its reading counts as failed.
   */
  takeLease(accountId: AccountId, holder: string, forMs: number): Promise<LinkedAccount | null>;
  releaseLease(accountId: AccountId, holder: string): Promise<void>;
  /**
   * Stores records, readings and lines in one transaction, and ends the lease. The revision increases when the
   * readings' text, the status or a record differs from what is stored. False when another process has taken or ended
   * the lease. Then only records with new ids are stored, with their lines, because the network sends some items once.
   * A holder whose time is over keeps its lease until another process takes it. The journal of a closed account has
   * ended.
   */
  storeReading(write: ReadingWrite): Promise<boolean>;
  /**
   * Moves `behindSinceMs` to that moment, or to a later one: no stored or running reading counts as begun after it,
   * even when the clock of its process is ahead. Returns the new `behindSinceMs`; null when there is no such linked
   * account.
   */
  noteChange(accountId: AccountId, atMs: UnixMs): Promise<UnixMs | null>;
  /** Notes a failed reading, unless one that began later has succeeded. The lease stays. */
  noteFailure(accountId: AccountId, atMs: UnixMs): Promise<void>;
  /** Newest first. */
  records(
    accountId: AccountId,
    kind: LinkedRecordKind,
    limit: number,
  ): Promise<readonly LinkedRecord[]>;
  /**
   * How many accounts are linked and neither closed nor eliminated, how many of them fail, and the oldest
   * `readAtMs` of those that do not.
   */
  summary(): Promise<{
    readonly linked: number;
    readonly failing: number;
    readonly oldestReadAtMs: UnixMs | null;
  }>;
  /** The pairs of the accounts that `summary` counts. */
  openPairs(): Promise<readonly OpenPair[]>;
}
