import type { AccountStatus, UnixMs } from "@propgate/core";

/** A request whose signature matched, as the database is asked about it. */
export interface AdmissionRequest {
  readonly keyId: string;
  readonly nonce: string;
  /** Whether it draws on the read budget: a read whose key has the scope, never an order. @rule S8.orders */
  readonly counted: boolean;
  /** Whether it may change something, so that its nonce has a receipt. @rule D9.receipts */
  readonly isWrite: boolean;
  /** Where it came from. */
  readonly address: string;
}

/** What one batch of requests did to a key, and what is known of it now. */
export interface KeyAdmission {
  /** False when it was revoked on another node since it was cached. */
  readonly active: boolean;
  /** The nonces that this batch stored; any other of the batch was used before. @rule S5.R2 */
  readonly freshNonces: ReadonlySet<string>;
  /** Counted reads of the window, this batch's fresh ones included. */
  readonly reads: number;
  readonly windowStartMs: number;
  /** Order placement is paused until then; null: never was. */
  readonly cooldownUntilMs: number | null;
  /** Rejected orders that a success has to wipe out. */
  readonly rejections: number;
  /** Null when the bound account is not known. */
  readonly account: AdmittedAccount | null;
}

export interface AdmittedAccount {
  readonly status: AccountStatus;
  /** Reads must show at least this version. */
  readonly version: number;
}

export interface Rejections {
  readonly keyId: string;
  readonly count: number;
}

/** Nonces, budgets and the failure guard: set-based, one statement and one durable commit a call. */
export interface AdmissionStore {
  /** By key id; a key that does not exist is missing. No two requests may be identical. */
  admit(
    requests: readonly AdmissionRequest[],
    moment: { readonly now: UnixMs; readonly windowStartMs: number },
  ): Promise<ReadonlyMap<string, KeyAdmission>>;
  /** Counts rejected orders and starts a cooldown where they have become too many. */
  reject(rejections: readonly Rejections[], moment: GuardMoment): Promise<void>;
  /** Forgets the rejections of these keys; a cooldown that runs goes on. */
  succeed(keyIds: readonly string[]): Promise<void>;
}

/** The numbers of the failure guard at one moment. @rule S8.guard */
export interface GuardMoment {
  readonly now: UnixMs;
  /** Rejections before this moment no longer count. */
  readonly sinceMs: number;
  readonly most: number;
  readonly cooldownUntilMs: number;
}
