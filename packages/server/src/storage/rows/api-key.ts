import type { AccountId, UnixMs } from "@propgate/core";

/** What a key may do; fixed when it is made. @rule S5.R4 */
export type KeyScope = "read" | "place";

/** `pk_` and 20 url-safe characters, as every key id that was ever given out. @rule D8.keys */
export function isKeyId(text: string): boolean {
  return /^pk_[\w-]{20}$/.test(text);
}

/** A key as it is listed: everything but its secret. @rule S5.R3 D8.keyLimits */
export interface ApiKey {
  readonly keyId: string;
  readonly accountId: AccountId;
  readonly scopes: readonly KeyScope[];
  readonly label: string;
  /** Addresses or CIDR blocks it may be used from; empty: from anywhere. */
  readonly addresses: readonly string[];
  readonly createdAtMs: UnixMs;
  /** From this moment on it is unknown; null: never. */
  readonly expiresAtMs: UnixMs | null;
  readonly revokedAtMs: UnixMs | null;
  /** From this moment on it is unknown until an operator resumes it; null: it is not paused. */
  readonly pausedAtMs: UnixMs | null;
}

/** A key with how it was last used and how near the failure guard it is. */
export interface KeyUse extends ApiKey {
  readonly lastUsedAtMs: UnixMs | null;
  readonly lastUsedFrom: string | null;
  /** Reads of the newest window in which there was one, and when it began; 0: it has never read. */
  readonly reads: number;
  readonly readWindowStartMs: UnixMs;
  /** Rejected orders that still count. @rule D2.guard */
  readonly rejections: number;
  readonly cooldownUntilMs: UnixMs | null;
}

/** A key as it is stored: with its secret, sealed. */
export interface StoredKey extends ApiKey {
  readonly sealedSecret: Uint8Array;
}

/** Whether the key is known at all at this moment: not revoked, expired or paused. @rule S5.R6 */
export function isActive(key: ApiKey, now: UnixMs): boolean {
  return (
    key.revokedAtMs === null &&
    key.pausedAtMs === null &&
    (key.expiresAtMs === null || now < key.expiresAtMs)
  );
}
