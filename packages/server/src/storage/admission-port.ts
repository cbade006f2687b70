import type { AccountStatus, UnixMs } from "@propgate/core";
import type { NetworkName } from "@propgate/ledger";

/**
 * The budgets of a key in a clock minute; receipts are counted apart.
 * @rule S8.read D10.receiptBudget
 */
export type Budget = "reads" | "receipts";

/** A signed request, for admission by the database. */
export interface AdmissionRequest {
  readonly keyId: string;
  readonly nonce: string;
  /** The budget that it uses; null for an order, and when the key lacks the scope. @rule S8.orders */
  readonly budget: Budget | null;
  /** True for an order, whose nonce has a receipt. @rule D9.receipts */
  readonly isWrite: boolean;
  /** Whether it places an order, which a paused key may not. @rule D12.pausedSwitch */
  readonly isPlacement: boolean;
  /** The client's address. */
  readonly address: string;
  /** Its timestamp. */
  readonly signedAtMs: number;
  /** Whether the key has the endpoint's scope. */
  readonly hasScope: boolean;
}

/** The effect of one batch on a key, and the key's present state. */
export interface KeyAdmission {
  /** False when another node revoked or paused it after it was cached. */
  readonly active: boolean;
  /** The nonces that this batch stored; any other of the batch was used before. @rule S5.R2 */
  readonly freshNonces: ReadonlySet<string>;
  /**
   * Nonces that were not used before and are not stored: more requests of the key were refused in this
   * hour than are stored. These requests are refused, and no request signed up to the two moments below
   * is accepted later. @rule D10.pausedKey
   */
  readonly unstoredNonces: ReadonlySet<string>;
  /** The newest timestamp among unstored requests that change nothing; null when there were none. */
  readonly unstoredReadMs: number | null;
  /** The same for orders. */
  readonly unstoredWriteMs: number | null;
  /** Counted reads of the window, this batch's fresh ones included. */
  readonly reads: number;
  /** Counted receipts of the window, likewise. */
  readonly receipts: number;
  readonly windowStartMs: number;
  /** The end of the pause of order placement; null when it is not paused. */
  readonly cooldownUntilMs: number | null;
  /** The number of counted rejections, which a successful order must clear. */
  readonly rejections: number;
  /** Null when the bound account is not known. */
  readonly account: AdmittedAccount | null;
}

export interface AdmittedAccount {
  readonly network: NetworkName;
  readonly status: AccountStatus;
  /** Reads must show at least this version. */
  readonly version: number;
  /** The first half of the hash of that version's line in hexadecimal; null when it is not known. */
  readonly headHash: string | null;
}

export interface Rejections {
  readonly keyId: string;
  readonly count: number;
}

export interface AdmissionMoment {
  readonly now: UnixMs;
  readonly windowStartMs: number;
  /** The maximum number of a key's refused requests that are stored in the hour from `hourStartMs`. */
  readonly refused: { readonly hourStartMs: number; readonly storedMax: number };
}

/** Nonces, budgets and the failure guard: set-based, one statement and one durable commit a call. */
export interface AdmissionStore {
  /** By key id; a key that does not exist is missing. No two requests may be identical. */
  admit(
    requests: readonly AdmissionRequest[],
    moment: AdmissionMoment,
  ): Promise<ReadonlyMap<string, KeyAdmission>>;
  /** Counts rejected orders and starts a cooldown when there are too many. */
  reject(rejections: readonly Rejections[], moment: GuardMoment): Promise<void>;
  /** Clears the rejections of these keys; a running cooldown continues. */
  succeed(keyIds: readonly string[]): Promise<void>;
}

/** The numbers of the failure guard at one moment. @rule S8.guard */
export interface GuardMoment {
  readonly now: UnixMs;
  /** Rejections before this moment no longer count. */
  readonly sinceMs: number;
  /** This many rejections start a cooldown. */
  readonly rejectionsMax: number;
  readonly cooldownUntilMs: number;
}
