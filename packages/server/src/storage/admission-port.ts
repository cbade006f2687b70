import type { AccountStatus, UnixMs } from "@propgate/core";
import type { NetworkName } from "@propgate/ledger";

/**
 * The budgets of a key in a clock minute. Reads of receipts have a budget of their own.
 * @rule S8.read D10.receiptBudget
 */
export type Budget = "reads" | "receipts";

/** A signed request, for admission by the database. */
export interface AdmissionRequest {
  readonly keyId: string;
  readonly nonce: string;
  /**
   * The budget that the request uses; null for an order and any other write, and when the key lacks the scope.
   * @rule S8.orders
   */
  readonly budget: Budget | null;
  /** True for a request that may change something: its nonce has a receipt. @rule D9.receipts */
  readonly isWrite: boolean;
  /**
   * Whether the request places, edits or cancels an order, which a key may not do during its cooldown.
   * @rule D12.pausedSwitch
   */
  readonly isPlacement: boolean;
  /** The client's address. */
  readonly address: string;
  /** The timestamp that the client signed. */
  readonly signedAtMs: number;
  /** Whether the key has the endpoint's scope. */
  readonly hasScope: boolean;
}

/** The effect of one batch on a key, and the key's present state. */
export interface KeyAdmission {
  /**
   * The nonces that this batch stored. Any other nonce of the batch was used before, or is in `unstoredNonces`.
   * @rule S5.R2
   */
  readonly freshNonces: ReadonlySet<string>;
  /**
   * Nonces that were not used before and are not stored. Their requests are refused. A nonce is not stored when the key
   * already has the maximum number of stored refused requests in this hour, or when its request was signed too early: a
   * read at or before `unstoredReadMs`, or a write at or before `unstoredWriteMs`. No such request is accepted later.
   * @rule D10.pausedKey
   */
  readonly unstoredNonces: ReadonlySet<string>;
  /** The newest timestamp among the unstored requests of the key that change no state; null when there were none. */
  readonly unstoredReadMs: number | null;
  /** The newest timestamp among the unstored requests of the key that may change state; null when there were none. */
  readonly unstoredWriteMs: number | null;
  /** The counted reads of the clock minute from `windowStartMs`, with the fresh ones of this batch. */
  readonly reads: number;
  /** The counted reads of receipts of the clock minute from `windowStartMs`, with the fresh ones of this batch. */
  readonly receipts: number;
  readonly windowStartMs: number;
  /** The end of the key's cooldown; null while the key is in no cooldown. */
  readonly cooldownUntilMs: number | null;
  /** The number of stored rejections. When there are any, a request of the key that succeeds must clear them. */
  readonly rejections: number;
  /** The account of the key; null when the database does not have this account. */
  readonly account: AdmittedAccount | null;
}

/** The account of a key at the moment of admission. */
export interface AdmittedAccount {
  readonly network: NetworkName;
  readonly status: AccountStatus;
  /** Reads must show at least this version. */
  readonly version: number;
  /** The first half of the hash of that version's line in hexadecimal; null when it is not known. */
  readonly headHash: string | null;
}

/** The number of a key's rejected orders. */
export interface KeyRejections {
  readonly keyId: string;
  readonly count: number;
}

/** The time of an admission, with the start of its window of reads and the hour of its refused requests. */
export interface AdmissionMoment {
  readonly now: UnixMs;
  readonly windowStartMs: number;
  /** `storedMax` is the maximum number of a key's refused requests that are stored in the hour from `hourStartMs`. */
  readonly refused: { readonly hourStartMs: number; readonly storedMax: number };
}

/**
 * Nonces, budgets and the failure guard. A call handles a whole batch in one statement with one durable commit; `admit`
 * repeats the statement for keys whose nonces were merged meanwhile.
 */
export interface AdmissionStore {
  /**
   * Returns the effect on each key by its id. A key that does not exist, is revoked or is paused has none, and its
   * requests store no data. No two requests may have the same key and nonce.
   */
  admit(
    requests: readonly AdmissionRequest[],
    moment: AdmissionMoment,
  ): Promise<ReadonlyMap<string, KeyAdmission>>;
  /** Counts rejected orders and starts a cooldown when there are too many. */
  reject(rejections: readonly KeyRejections[], moment: GuardMoment): Promise<void>;
  /** Clears the rejections of these keys; a running cooldown continues. */
  succeed(keyIds: readonly string[]): Promise<void>;
}

/** The numbers of the failure guard at one moment. @rule S8.guard */
export interface GuardMoment {
  readonly now: UnixMs;
  /** Rejections before this moment do not count. */
  readonly sinceMs: number;
  /** This many rejections start a cooldown. */
  readonly rejectionsMax: number;
  readonly cooldownUntilMs: number;
}
