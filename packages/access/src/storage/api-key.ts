import type { AccountId, UnixMs } from "@propgate/core";

/** A right of a key, fixed when the key is created. @rule S5.R4 */
export type KeyScope = "read" | "place";

/**
 * Whether the text has the form of a key's id: `pk_` and 20 letters and digits, or 22 when it names another database
 * than the first. @rule D8.keys
 */
export function isKeyId(text: string): boolean {
  return /^pk_[0-9A-Za-z]{20}(?:[0-9A-Za-z]{2})?$/.test(text);
}

/** An API key of an account, without its secret. @rule S5.R3 D8.keyLimits */
export interface ApiKey {
  readonly keyId: string;
  readonly accountId: AccountId;
  readonly scopes: readonly KeyScope[];
  readonly label: string;
  /** Addresses or CIDR blocks from which the key may be used; an empty list allows every address. */
  readonly addresses: readonly string[];
  readonly createdAtMs: UnixMs;
  /** From this moment on the key counts as unknown; null when it never expires. */
  readonly expiresAtMs: UnixMs | null;
  readonly revokedAtMs: UnixMs | null;
  /** When the key was paused: it counts as unknown until an operator resumes it. Null when it is not paused. */
  readonly pausedAtMs: UnixMs | null;
}

/** A key with its last use, its read budget and its failure guard. */
export interface KeyUse extends ApiKey {
  readonly lastUsedAtMs: UnixMs | null;
  readonly lastUsedFrom: string | null;
  /**
   * The number of reads in the latest clock minute in which the key read, and the start of that minute; both 0 when the
   * key has not read yet.
   */
  readonly reads: number;
  readonly readWindowStartMs: UnixMs;
  /** The number of rejected orders that the failure guard still counts. @rule D2.guard */
  readonly rejections: number;
  readonly cooldownUntilMs: UnixMs | null;
}

/** A key with its encrypted secret. */
export interface StoredKey extends ApiKey {
  readonly sealedSecret: Uint8Array;
}

/** Whether the key is neither revoked, expired nor paused at this moment. @rule S5.R6 D8.keyLimits */
export function isActiveKey(key: ApiKey, now: UnixMs): boolean {
  return (
    key.revokedAtMs === null &&
    key.pausedAtMs === null &&
    (key.expiresAtMs === null || now < key.expiresAtMs)
  );
}
