import type { AccountId, UnixMs } from "@propgate/core";

/** A right of a key; fixed when the key is created. @rule S5.R4 */
export type KeyScope = "read" | "place";

/** `pk_` and 20 letters and digits, or 22 when they name another database than the first. @rule D8.keys */
export function isKeyId(text: string): boolean {
  return /^pk_[0-9A-Za-z]{20}(?:[0-9A-Za-z]{2})?$/.test(text);
}

/** A key without its secret. @rule S5.R3 D8.keyLimits */
export interface ApiKey {
  readonly keyId: string;
  readonly accountId: AccountId;
  readonly scopes: readonly KeyScope[];
  readonly label: string;
  /** Addresses or CIDR blocks that it may be used from; an empty list allows every address. */
  readonly addresses: readonly string[];
  readonly createdAtMs: UnixMs;
  /** The key is unknown from this moment on; null when it never expires. */
  readonly expiresAtMs: UnixMs | null;
  readonly revokedAtMs: UnixMs | null;
  /** The key is unknown from this moment until an operator resumes it; null when it is not paused. */
  readonly pausedAtMs: UnixMs | null;
}

/** A key with its last use, its budgets and its failure guard. */
export interface KeyUse extends ApiKey {
  readonly lastUsedAtMs: UnixMs | null;
  readonly lastUsedFrom: string | null;
  /** Reads in the newest window with a read, and that window's start; both 0 without any. */
  readonly reads: number;
  readonly readWindowStartMs: UnixMs;
  /** Rejected orders that still count. @rule D2.guard */
  readonly rejections: number;
  readonly cooldownUntilMs: UnixMs | null;
}

/** A key with its sealed secret. */
export interface StoredKey extends ApiKey {
  readonly sealedSecret: Uint8Array;
}

/** Whether the key is neither revoked, expired nor paused at this moment. @rule S5.R6 D8.keyLimits */
export function isActive(key: ApiKey, now: UnixMs): boolean {
  return (
    key.revokedAtMs === null &&
    key.pausedAtMs === null &&
    (key.expiresAtMs === null || now < key.expiresAtMs)
  );
}
