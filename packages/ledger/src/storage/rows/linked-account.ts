import type { AccountId, AccountStatus, OwnerId, UnixMs } from "@propgate/core";
import type { NewLine } from "../journal/append-lines.ts";
import type { OrderRequestId } from "./upstream-order.ts";

/** A subaccount of a validator that is to be linked to a new account. */
export interface NewLink {
  readonly accountId: AccountId;
  readonly ownerId: OwnerId;
  /** `<entity's hotkey>_<subaccount's number>`: the network's id of the subaccount. */
  readonly hotkey: string;
  readonly subaccountId: number;
  readonly subaccountUuid: string;
  /** The trader's share of a payout, as a ratio. The validator pays out gross. */
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
  /** A counter that only this service uses. It increases with every stored change and every order that ends. */
  readonly revision: number;
  /** The stored readings as JSON of `vanta/dashboard/`; null before the first reading. */
  readonly readings: string | null;
  /** Display forms of the pairs in which the readings have positions or orders. */
  readonly pairs: readonly string[];
  /** When the request for the stored readings began; null before the first. */
  readonly readAtMs: UnixMs | null;
  /**
   * When an order was last sent or ended; it increases with each. Readings whose request began earlier are not shown.
   */
  readonly behindSinceMs: UnixMs | null;
  /** The time since which every reading has failed; null while readings succeed. */
  readonly failingSinceMs: UnixMs | null;
}

/** The kinds of items that the network sends only once, or that are too many for the readings. */
export type LinkedRecordKind =
  | "closedPosition"
  | "closedOrder"
  | "checkpoint"
  | "dailyReturn"
  | "payout";

/** An item that is stored in addition to the readings of a linked account. */
export interface LinkedRecord {
  readonly kind: LinkedRecordKind;
  /** The id of the record, unique within the account and kind; a later record with the same id replaces it. */
  readonly id: string;
  /** Unix time in whole milliseconds. */
  readonly atMs: number;
  /** The item as JSON. */
  readonly body: string;
}

/** A pair in its display form, and the number of accounts that have a position or an order in it. */
export interface OpenPair {
  readonly pair: string;
  readonly accounts: number;
}

/** An order of this service that a reading may contain. */
export interface OwnOrder {
  readonly orderUuid: string;
  readonly request: OrderRequestId | null;
  /** The order's command as JSON. */
  readonly command: string;
  /** False once the end of the order is stored. */
  readonly isSending: boolean;
}

/** The earlier journal and records of the account, as far as the lines of a new reading depend on them. */
export interface KnownHistory {
  /**
   * False when another process has taken over the lease. Then only records with new ids are stored, with their lines.
   */
  readonly isHeld: boolean;
  /** True when no record with this kind and id was stored before. */
  readonly isNew: (record: Pick<LinkedRecord, "kind" | "id">) => boolean;
  /** The orders of the reading whose fill has a journal line. */
  readonly filled: ReadonlySet<string>;
  /** The orders of this service that are being sent, and the orders of this service that the reading contains. */
  readonly own: readonly OwnOrder[];
}

/**
 * Makes the journal lines that follow from a reading. They depend on the lines in the journal, so they are made while
 * the account is locked.
 */
export interface ReadingLines {
  /**
   * The ids of orders that may need a line. A full reading repeats many stored records, and a record that is not new
   * needs no line.
   */
  orderIds(isNew: KnownHistory["isNew"]): readonly string[];
  makeLines(known: KnownHistory): readonly NewLine[];
}

/** The data that one poll of a linked account stores. */
export interface ReadingWrite {
  readonly accountId: AccountId;
  /** The process that holds the lease. */
  readonly holder: string;
  readonly readings: string;
  /** Display forms of the pairs in which the readings have positions or orders; stored only with changed readings. */
  readonly pairs: readonly string[];
  readonly readAtMs: UnixMs;
  /** The account's `behindSinceMs` when the lease was taken. */
  readonly behindSinceMs: UnixMs | null;
  /** The status at the validator. A closed account keeps its own status. */
  readonly status: AccountStatus;
  /** When two records have the same kind and id, the later one in the list counts. */
  readonly records: readonly LinkedRecord[];
  /** Makes the journal lines of the reading; null when no line can follow from it. */
  readonly lines: ReadingLines | null;
}

/**
 * Linked accounts, their readings and records. Leases are measured by the database's clock. Texts may contain
 * anything: a NUL character, which PostgreSQL cannot store, becomes U+FFFD.
 */
export interface LinkedAccountStore {
  /**
   * Links the subaccount to a new account, whose journal begins with the line. `linkedBefore`: this subaccount already
   * has an account, which may be closed.
   */
  link(link: NewLink, opening: NewLine): Promise<"linked" | "linkedBefore">;
  /**
   * Closes the account for ever, and ends its journal with the line. The subaccount stays linked to it. False when it
   * is closed already or not linked.
   */
  close(accountId: AccountId, closing: NewLine): Promise<boolean>;
  find(accountId: AccountId): Promise<LinkedAccount | null>;
  /** True when the subaccount has an account, which may be closed. */
  isLinked(hotkey: string): Promise<boolean>;
  /**
   * The accounts that are neither closed nor eliminated, whose last reading, successful or not, was before the given
   * time, and that are not being read. The accounts whose last reading is the longest ago come first, so an account
   * whose readings fail waits like the others.
   */
  unreadSince(before: UnixMs, limit: number): Promise<readonly AccountId[]>;
  /**
   * Takes the lease, or extends the holder's own, and returns the account. Null when another process holds the lease,
   * or there is no such linked account. When the lease of another holder was over and is taken, that holder's reading
   * counts as failed.
   */
  takeLease(accountId: AccountId, holder: string, forMs: number): Promise<LinkedAccount | null>;
  releaseLease(accountId: AccountId, holder: string): Promise<void>;
  /**
   * Stores records, readings and lines in one transaction, and ends the lease. The revision increases when the
   * readings' text, the status or a record differs from the stored one. Returns false when another process has taken or
   * ended the lease. Then only records with new ids are stored, with their lines, because the network sends some items
   * once. A holder whose time is over keeps its lease until another process takes it. A closed account gets no more
   * lines.
   */
  storeReading(write: ReadingWrite): Promise<boolean>;
  /**
   * Moves `behindSinceMs` to `atMs`, or to a later time, so that no stored or running reading counts as begun after it,
   * even when the clock of the reading process is ahead. Returns the new `behindSinceMs`; null when there is no such
   * linked account.
   */
  recordChange(accountId: AccountId, atMs: UnixMs): Promise<UnixMs | null>;
  /** Notes that a reading that began at `atMs` has failed, unless a later reading has succeeded. The lease stays. */
  recordFailure(accountId: AccountId, atMs: UnixMs): Promise<void>;
  /** The newest `limit` records of the kind, newest first. */
  records(
    accountId: AccountId,
    kind: LinkedRecordKind,
    limit: number,
  ): Promise<readonly LinkedRecord[]>;
  /**
   * The number of linked accounts that are neither closed nor eliminated, how many of them have failing readings, and
   * the oldest `readAtMs` of the others.
   */
  summary(): Promise<{
    readonly linked: number;
    readonly failing: number;
    readonly oldestReadAtMs: UnixMs | null;
  }>;
  /** The pairs of the accounts that `summary` counts. */
  openPairs(): Promise<readonly OpenPair[]>;
}
