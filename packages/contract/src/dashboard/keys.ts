import type { Scope } from "../words.ts";

/** Item of `GET accounts/:id/keys`: an API key of the account. @rule S5.R3 D8.keyLimits */
export interface KeyLine {
  readonly keyId: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
  /** Addresses or CIDR blocks; empty when every address is allowed. */
  readonly addresses: readonly string[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** When an operator paused the key; null when it is not paused. An operator can resume it. */
  readonly pausedAtMs: number | null;
  readonly lastUsedAtMs: number | null;
  readonly lastUsedFrom: string | null;
  /** The reads in the current minute: `used` of at most `most`. */
  readonly reads: { readonly used: number; readonly most: number; readonly windowEndsAtMs: number };
  /**
   * `used`: the number of rejected orders that count towards a cooldown, which begins at `most`. The key may place no
   * order until `cooldownUntilMs`; null without a cooldown.
   */
  readonly rejections: {
    readonly used: number;
    readonly most: number;
    readonly cooldownUntilMs: number | null;
  };
}

/** The body of `POST accounts/:id/keys`. */
export interface CreateKeyRequest {
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly expiresAtMs?: number | null;
  readonly addresses?: readonly string[];
}

/** The answer to `POST accounts/:id/keys`, the only one that contains the secret. */
export interface CreatedKeyView {
  readonly key: KeyLine;
  readonly secret: string;
}
